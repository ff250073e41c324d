/* What a tool is given, as text a person can read. Pure. */
import { joinShellWords } from "@/lib/shell-words";

/** One thing that a tool is given, under the tool's own name for it. */
export interface InputField {
  name: string;
  text: string;
}

/** All that a tool is given: what is run, if there is such a thing, and everything else. */
export interface ToolInput {
  command: string | null;
  fields: InputField[];
}

/** Reads an input without leaving anything out. */
export function readInput(input: unknown): ToolInput {
  if (input === undefined || input === null) return { command: null, fields: [] };
  if (typeof input === "string") return { command: input, fields: [] };
  if (!isRecord(input)) return { command: null, fields: [{ name: "input", text: fieldText(input) }] };
  const name = ["command", "cmd"].find((each) => commandText(input[each]) !== null);
  return {
    command: name === undefined ? null : commandText(input[name]),
    fields: Object.entries(input)
      .filter(([each]) => each !== name)
      .map(([each, value]) => ({ name: each, text: fieldText(value) })),
  };
}

/** The one string that says what is run, when there is one: a shell command, mostly. */
export function commandOf(input: unknown): string | null {
  return readInput(input).command;
}

/** Everything but the command, field by field; empty when there is nothing to show. */
export function fieldsText(fields: InputField[]): string {
  return fields.map(({ name, text }) => `${name}: ${text}`).join("\n");
}

function commandText(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string")) {
    return joinShellWords(value);
  }
  return null;
}

function fieldText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
