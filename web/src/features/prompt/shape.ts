/* Which kind of sheet a prompt gets, and which options are plain. Pure. */
import { shownInput } from "@/features/prompt/shown-input";
import type { InputField } from "@/lib/tool-input";
import { isFolded } from "@/lib/unified-diff";
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

/** True when an option lets something happen. What is not known to refuse may do so. */
function letsHappen({ role }: PromptOption): boolean {
  return role !== "deny" && role !== "feedback";
}

/** True when saying yes here does what the risk warns of. */
export function isDangerous(prompt: InteractivePrompt, option: PromptOption): boolean {
  // A newer server may know a higher level.
  const level = prompt.risk?.level ?? "low";
  return !["low", "medium"].includes(level) && (option.role === "allow" || option.role === "allow-always");
}

/** True when one tap is not enough. */
export function needsSecondTap(prompt: InteractivePrompt, option: PromptOption): boolean {
  if (isLasting(option) || isDangerous(prompt, option)) return true;
  return (prompt.incomplete === true || prompt.startup === true || foldsChange(prompt)) && letsHappen(option);
}

/** True when a part of the change stands on the sheet only once it is unfolded. */
function foldsChange({ diff }: InteractivePrompt): boolean {
  return diff?.some(({ unified }) => isFolded(unified)) ?? false;
}

/** True where rules have a say: permissions for a tool of a CLI that is known. */
export function takesRules({ type, toolName, startup, adapter, warning }: InteractivePrompt): boolean {
  const known = adapter !== undefined && adapter !== "generic";
  return (
    type === "permission" && toolName !== undefined && startup !== true && known && warning === undefined
  );
}

/** What the second tap grants, in plain words; the option's own words stand above it. */
export function grantWords(prompt: InteractivePrompt, option: PromptOption): string {
  const incomplete = prompt.incomplete ? "not all of it is shown here" : "";
  const lasting = isLasting(option)
    ? `lasting: ${prompt.toolName ? `${prompt.toolName} ` : ""}will not ask again for this`
    : "";
  const folded = foldsChange(prompt) ? "a long change, of which not all is unfolded at first" : "";
  const startup = prompt.startup && !lasting ? "this outlasts the session" : "";
  const danger = isDangerous(prompt, option) ? (prompt.risk?.reasons ?? []).join("; ") : "";
  return [incomplete, danger, lasting, startup, folded].filter(Boolean).join(" · ");
}

/** True when nothing on the sheet may answer: the terminal has to be looked at. */
export function isTerminalOnly(prompt: InteractivePrompt): boolean {
  return prompt.warning !== undefined;
}

/**
 * The options that a card may carry, if all of the text on it can be seen as well; none when there is more to a prompt than a card
 * shows, or when it weighs too much for one tap.
 */
export function cardOptions(prompt: InteractivePrompt): PromptOption[] {
  if (!fitsCard(prompt)) return [];
  const options = prompt.options ?? [];
  const plain = options.filter(
    (option) => !isLasting(option) && !option.opensText && option.preview === undefined,
  );
  if (plain.length === options.length && options.length <= CARD_OPTIONS) return options;
  const allow = plain.find(({ role }) => role === "allow");
  const deny = plain.find(({ role }) => role === "deny");
  return allow && deny ? [allow, deny] : [];
}

function fitsCard(prompt: InteractivePrompt): boolean {
  return (
    shapeOf(prompt) === "choices" &&
    prompt.type !== "unrecognized" &&
    prompt.type !== "plan" &&
    prompt.plan === undefined &&
    ["likely", "certain", undefined].includes(prompt.confidence) &&
    !prompt.diff?.length &&
    !prompt.incomplete &&
    !prompt.startup &&
    !prompt.wouldRun?.length &&
    !prompt.moreOptions &&
    !isTerminalOnly(prompt) &&
    (prompt.risk?.level ?? "low") === "low"
  );
}

/** True when a card has to name the tool: what it is given means one thing to `read_notes` and another to `wipe_notes`. */
export function namesTool({ toolName, title }: InteractivePrompt): boolean {
  return toolName !== undefined && !title.toLowerCase().includes(toolName.toLowerCase());
}

/** What a card shows below who asks: the thing itself, and whatever else is to be read before an answer. */
export interface Gist {
  text: string;
  mono: boolean;
  fields: InputField[];
  /** The agent's own words. */
  said: string;
}

export function gistOf(prompt: InteractivePrompt): Gist {
  const { command, fields } = shownInput(prompt);
  const gist = (text: string, mono: boolean) => ({ text, mono, fields, said: prompt.description });
  if (prompt.diff?.length) return gist(prompt.diff.map(({ path }) => path).join(", "), true);
  if (command !== null && command.trim() !== "") return gist(command, true);
  if (fields.length > 0) return gist("", true);
  if (prompt.files?.length) return gist(prompt.files.join(", "), true);
  if (prompt.questions?.length) {
    return gist(prompt.questions.map(({ question }) => question).join(" · "), false);
  }
  return gist(prompt.plan === undefined ? "" : firstLine(prompt.plan), false);
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

/** True where Enter alone is an answer: a program takes its default, or says that nothing need be typed. */
export function takesEmptyText({ adapter, textInput }: InteractivePrompt): boolean {
  if (textInput === undefined) return false;
  return textInput.mayBeEmpty === true || (textInput.secret !== true && adapter === "generic");
}
