/* Which kind of sheet a prompt gets, and which options are plain. Pure. */
import { toolText } from "@/lib/tool-input";
import type { InteractivePrompt, PromptOption } from "@/wire/prompt";

/** `raw`: nothing here can be answered but by keys. */
export type Shape = "choices" | "text" | "choices-and-text" | "multi-select" | "questions" | "raw";

/** More buttons than this do not fit on a card without hiding what is asked. */
const CARD_OPTIONS = 3;

export function shapeOf(prompt: InteractivePrompt): Shape {
  if (prompt.questions && prompt.questions.length > 0) return "questions";
  const options = prompt.options?.length ?? 0;
  if (options > 0 && prompt.multiSelect) return "multi-select";
  if (options > 0) return prompt.textInput ? "choices-and-text" : "choices";
  if (prompt.textInput) return "text";
  return "raw";
}

/** Chosen once, it answers for a long time: it takes a second tap, and never stands on a card. */
export function isLasting(option: PromptOption): boolean {
  return option.role === "allow-always";
}

/** True when saying yes here does what the risk warns of. */
export function isDangerous(prompt: InteractivePrompt, option: PromptOption): boolean {
  return prompt.risk?.level === "high" && (option.role === "allow" || option.role === "allow-always");
}

/** True when one tap is not enough. */
export function needsSecondTap(prompt: InteractivePrompt, option: PromptOption): boolean {
  return isLasting(option) || isDangerous(prompt, option);
}

/** What the second tap grants, in plain words; the option's own words stand above it. */
export function grantWords(prompt: InteractivePrompt, option: PromptOption): string {
  const lasting = isLasting(option)
    ? `lasting: ${prompt.toolName ? `${prompt.toolName} ` : ""}will not ask again for this`
    : "";
  const danger = isDangerous(prompt, option) ? (prompt.risk?.reasons ?? []).join("; ") : "";
  return [danger, lasting].filter(Boolean).join(" · ");
}

/** True when the card in the inbox may carry the buttons themselves: all there is to read is on the card. */
export function isPlainChoice(prompt: InteractivePrompt): boolean {
  const options = prompt.options ?? [];
  return (
    shapeOf(prompt) === "choices" &&
    prompt.type !== "unrecognized" &&
    prompt.type !== "plan" &&
    !prompt.diff?.length &&
    prompt.risk?.level !== "high" &&
    options.length <= CARD_OPTIONS &&
    !options.some((option) => isLasting(option) || option.opensText) &&
    !prompt.moreOptions
  );
}

/** The thing itself, in a few words: what the card shows below who asks. */
export function gistOf(prompt: InteractivePrompt): { text: string; mono: boolean } {
  const tool = toolText(prompt.toolInput).trim();
  if (prompt.diff?.length) return { text: prompt.diff.map(({ path }) => path).join(", "), mono: true };
  if (tool) return { text: tool, mono: true };
  if (prompt.questions?.length) {
    return { text: prompt.questions.map(({ question }) => question).join(" · "), mono: false };
  }
  if (prompt.plan) return { text: firstLine(prompt.plan), mono: false };
  return { text: prompt.description, mono: false };
}

function firstLine(markdown: string): string {
  return (markdown.split("\n").find((line) => line.trim() !== "") ?? "").replace(/^#+\s*/, "");
}

/** True when the text that is typed must be masked and not kept. */
export function isSecret(prompt: InteractivePrompt): boolean {
  return (
    prompt.textInput?.secret === true || (prompt.questions ?? []).some(({ textInput }) => textInput?.secret)
  );
}

/** True when the screen itself has to be shown, and the keys with it. */
export function isRaw(prompt: InteractivePrompt): boolean {
  return prompt.type === "unrecognized" || shapeOf(prompt) === "raw";
}
