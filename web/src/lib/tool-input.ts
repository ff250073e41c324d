/* What a tool is given, as text a person can read. Pure. */

/** The one string that says it all, when there is one: a shell command, mostly. */
export function commandOf(input: unknown): string | null {
  if (typeof input === "string") return input;
  if (!isRecord(input)) return null;
  const command = input.command ?? input.cmd;
  if (typeof command === "string") return command;
  if (Array.isArray(command) && command.every((word) => typeof word === "string")) return command.join(" ");
  return null;
}

/** Everything else, field by field; empty when there is nothing to show. */
export function inputText(input: unknown): string {
  if (input === undefined || input === null) return "";
  if (!isRecord(input)) return typeof input === "string" ? input : JSON.stringify(input, null, 2);
  return Object.entries(input)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value, null, 2)}`)
    .join("\n");
}

/** The command where there is one, all fields where there is not. */
export function toolText(input: unknown): string {
  return commandOf(input) ?? inputText(input);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
