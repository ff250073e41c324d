/*
 * What a tap on the sheet means. Pure: `step` takes the prompt, what was entered so far and one input, and gives
 * what is entered now, with a response once the person has given one. React only renders this; what time it is, is told.
 *
 * No response comes from anything but a deliberate choice: a lasting or dangerous one needs two taps on the same option,
 * an option that takes text needs its text, several questions need the review page.
 */
import {
  answerOf,
  emptyAnswer,
  isAnswered,
  type QuestionForm,
  stepQuestion,
  type QuestionInput,
} from "@/features/prompt/question";
import { isTerminalOnly, needsSecondTap, shapeOf, takesEmptyText } from "@/features/prompt/shape";
import { rememberOf, type Wish } from "@/features/prompt/remember";
import { versionOf } from "@/features/prompt/shown-input";
import { judgeTap, type Armed } from "@/lib/second-tap";
import type { InteractivePrompt, PromptOption, PromptResponse } from "@/wire/prompt";

export interface Form {
  /** The prompt as it was when this was entered (`versionOf`). */
  of: string;
  /** The lasting or dangerous option that was tapped once. */
  armed: Armed | null;
  /** The option whose text field is open. */
  opened: string | null;
  text: string;
  /** Multi-select: the values that are ticked. */
  checked: string[];
  /** Several questions: the page that is open; as many as there are questions means the review. */
  page: number;
  answers: QuestionForm[];
  /** What the answer is to be remembered as; nothing means just this once. */
  wish: Wish | null;
}

export type Input =
  | { type: "tap"; value: string }
  | { type: "text"; text: string }
  | { type: "send-text" }
  /** Enter and nothing else. */
  | { type: "send-empty" }
  | { type: "disarm" }
  | { type: "toggle"; value: string }
  | { type: "submit" }
  | { type: "question"; input: QuestionInput }
  | { type: "next" }
  | { type: "back" }
  | { type: "page"; page: number }
  | { type: "wish"; wish: Wish | null };

export interface Step {
  form: Form;
  response: PromptResponse | null;
}

export function emptyForm(prompt: InteractivePrompt): Form {
  return {
    of: versionOf(prompt),
    armed: null,
    opened: null,
    text: "",
    checked: (prompt.options ?? []).filter(({ checked }) => checked).map(({ value }) => value),
    page: 0,
    answers: (prompt.questions ?? []).map(emptyAnswer),
    wish: null,
  };
}

/** What was entered, for the prompt as it is now: nothing that has changed meanwhile is armed, opened or ticked. */
export function formFor(prompt: InteractivePrompt, entered: Form | undefined): Form {
  const empty = emptyForm(prompt);
  if (!entered) return empty;
  if (entered.of === empty.of) return entered;
  const { opened } = entered;
  const isThere = prompt.options?.some(({ value, opensText }) => value === opened && opensText);
  return { ...empty, opened: isThere ? opened : null, text: entered.text };
}

/** True for what may be an answer: it counts only once the sheet has settled. */
export function mayAnswer({ type }: Input): boolean {
  return type === "tap" || type === "send-text" || type === "send-empty" || type === "submit";
}

export function step(prompt: InteractivePrompt, form: Form, input: Input, now: number): Step {
  if (isTerminalOnly(prompt)) return stay({ ...form, armed: null });
  switch (input.type) {
    case "tap":
      return tap(prompt, form, input.value, now);
    case "disarm":
      return stay({ ...form, armed: null });
    case "send-empty":
      return takesEmptyText(prompt) && form.text === ""
        ? answer(prompt, form, { requestId: prompt.requestId, textValue: "" })
        : stay(form);
    case "text":
      return stay({ ...form, text: input.text, armed: null });
    case "send-text":
      return canSendText(prompt, form) ? answer(prompt, form, textResponse(prompt, form)) : stay(form);
    case "toggle":
      return stay({ ...form, checked: toggled(prompt, form.checked, input.value) });
    case "submit":
      return canSubmit(prompt, form) ? answer(prompt, form, submitResponse(prompt, form)) : stay(form);
    case "question":
      return stay(withQuestion(prompt, form, input.input));
    case "next":
      return canGoOn(prompt, form) ? stay({ ...form, page: form.page + 1 }) : stay(form);
    case "back":
      return stay({ ...form, page: Math.max(0, form.page - 1) });
    case "page":
      return stay({ ...form, page: input.page });
    case "wish":
      return stay({ ...form, wish: input.wish, armed: null });
  }
}

/** Free text is sent with the option that opened it, or alone where the prompt takes it alone. */
export function canSendText(prompt: InteractivePrompt, form: Form): boolean {
  if (form.opened === null && !prompt.textInput) return false;
  // Pressing Enter on an empty field is an answer for some programs, but never one to give by accident.
  return form.text.trim() !== "";
}

export function canSubmit(prompt: InteractivePrompt, form: Form): boolean {
  if (shapeOf(prompt) === "questions") return form.answers.every(isAnswered);
  // Taking every tick away is an answer only where some were set to begin with.
  return form.checked.length > 0 || (prompt.options ?? []).some(({ checked }) => checked);
}

/** The page that is open is answered. */
export function canGoOn(prompt: InteractivePrompt, form: Form): boolean {
  const open = form.answers[form.page];
  return open !== undefined && isAnswered(open) && form.page < (prompt.questions?.length ?? 0);
}

function tap(prompt: InteractivePrompt, form: Form, value: string, now: number): Step {
  const option = prompt.options?.find((candidate) => candidate.value === value);
  if (!option) return stay(form);
  if (option.opensText) {
    const opened = form.opened === value ? null : value;
    return stay({ ...form, opened, armed: null });
  }
  const lasts = option.role === "allow" && rememberOf(form.wish, option) !== null;
  if (lasts || needsSecondTap(prompt, option)) {
    const judged = judgeTap(form.armed, value, now);
    if (judged === "first") return stay({ ...form, armed: { what: value, at: now }, opened: null });
    if (judged === "too-soon") return stay(form);
  }
  return answer(prompt, form, { requestId: prompt.requestId, selectedOption: value });
}

function textResponse(prompt: InteractivePrompt, form: Form): PromptResponse {
  const option = form.opened === null ? {} : { selectedOption: form.opened };
  return { requestId: prompt.requestId, ...option, textValue: form.text };
}

function submitResponse(prompt: InteractivePrompt, form: Form): PromptResponse {
  const { requestId } = prompt;
  if (shapeOf(prompt) === "questions") return { requestId, answers: form.answers.map(answerOf) };
  const text = form.text.trim() === "" ? {} : { textValue: form.text };
  return { requestId, selectedOptions: form.checked, ...text };
}

/** What was typed does not outlive the answer: it may have been a password. */
function answer(prompt: InteractivePrompt, form: Form, response: PromptResponse): Step {
  const clean = emptyForm(prompt);
  const kept = shapeOf(prompt) === "questions" || prompt.multiSelect ? { ...form, text: "" } : clean;
  // The server takes it only if the prompt is still the one that was read.
  const read = prompt.digest === undefined ? {} : { digest: prompt.digest };
  const chosen = prompt.options?.find(({ value }) => value === response.selectedOption);
  const remember = rememberOf(form.wish, chosen);
  return { form: kept, response: { ...response, ...read, ...(remember && { remember }) } };
}

function stay(form: Form): Step {
  return { form, response: null };
}

function withQuestion(prompt: InteractivePrompt, form: Form, input: QuestionInput): Form {
  const question = prompt.questions?.[form.page];
  const entered = form.answers[form.page];
  if (!question || !entered) return form;
  return { ...form, answers: form.answers.with(form.page, stepQuestion(question, entered, input)) };
}

/** Ticks stay in the CLI's order, whichever was tapped first. */
function toggled(prompt: InteractivePrompt, checked: string[], value: string): string[] {
  const set = new Set(checked);
  if (!set.delete(value)) set.add(value);
  return (prompt.options ?? []).map((option: PromptOption) => option.value).filter((each) => set.has(each));
}
