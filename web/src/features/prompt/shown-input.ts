/* What the sheet and the card show of a prompt: all of it, each thing once. Pure. */
import { readInput, type ToolInput } from "@/lib/tool-input";
import type { InteractivePrompt } from "@/wire/prompt";

/** The tool's input without what the change or the description says already, word for word. */
export function shownInput(prompt: InteractivePrompt): ToolInput {
  const { command, fields } = readInput(prompt.toolInput);
  return {
    command,
    fields: fields.filter(
      ({ name, text }) =>
        !(name === "description" && text === prompt.description) && !isInChange(prompt, text),
    ),
  };
}

/** True when the change shows a text: as the path of a file, or line by line. */
function isInChange({ diff }: InteractivePrompt, text: string): boolean {
  if (!diff?.length || text === "") return false;
  return diff.some(({ path, unified }) => {
    if (path === text) return true;
    const lines = new Set(unified.split("\n").map((line) => line.slice(1)));
    return text.split("\n").every((line) => line === "" || lines.has(line)) && text.trim() !== "";
  });
}

const versions = new WeakMap<InteractivePrompt, string>();

/** Another one whenever something of the prompt has changed that a person reads before an answer. */
export function versionOf(prompt: InteractivePrompt): string {
  let version = versions.get(prompt);
  if (version === undefined) {
    version = prompt.digest ?? JSON.stringify(read(prompt));
    versions.set(prompt, version);
  }
  return version;
}

/** All but when it came, how it was noticed, and the picture of a screen that changes by itself. */
function read(prompt: InteractivePrompt): unknown[] {
  const { type, title, description, toolName, toolInput, options, textInput, multiSelect, questions } =
    prompt;
  const { risk, diff, files, plan, agent, moreOptions, incomplete, startup, wouldRun, warning } = prompt;
  return [
    [prompt.requestId, type, title, description, toolName, toolInput, options, textInput, multiSelect],
    [questions, risk, diff, files, plan, agent, moreOptions, incomplete, startup, wouldRun, warning],
  ];
}
