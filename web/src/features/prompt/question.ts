/* One of several questions: what was entered for it and what that amounts to. Pure. */
import type { PromptOption, Question, QuestionAnswer } from "@/wire/prompt";

export interface QuestionForm {
  chosen: string[];
  /** "Other…" was chosen: the text counts. */
  other: boolean;
  text: string;
}

export type QuestionInput =
  { type: "choose"; value: string } | { type: "other" } | { type: "text"; text: string };

export function emptyAnswer(question: Question): QuestionForm {
  const chosen = question.options.filter(({ checked }) => checked).map(({ value }) => value);
  // Where only text is taken there is nothing to choose first.
  return { chosen, other: question.options.length === 0, text: "" };
}

export function stepQuestion(question: Question, form: QuestionForm, input: QuestionInput): QuestionForm {
  switch (input.type) {
    case "choose":
      if (question.multiSelect)
        return { ...form, chosen: toggled(question.options, form.chosen, input.value) };
      return { ...form, chosen: [input.value], other: opensText(question.options, input.value) };
    case "other":
      if (question.multiSelect) return { ...form, other: !form.other };
      return { ...form, chosen: [], other: true };
    case "text":
      return { ...form, text: input.text };
  }
}

/** True while the text field of this question is open. */
export function takesText(question: Question, form: QuestionForm): boolean {
  return form.other || form.chosen.some((value) => opensText(question.options, value));
}

export function isAnswered(form: QuestionForm): boolean {
  if (form.other) return form.text.trim() !== "";
  return form.chosen.length > 0;
}

export function answerOf(form: QuestionForm): QuestionAnswer {
  const text = form.text.trim() === "" ? {} : { textValue: form.text };
  return { selectedOptions: form.chosen, ...(form.other ? text : {}) };
}

/** The answer in the CLI's words, for the review. */
export function answerWords(question: Question, form: QuestionForm): string {
  const labels = form.chosen.map(
    (value) => question.options.find((option) => option.value === value)?.label ?? value,
  );
  if (form.other && form.text.trim() !== "") {
    labels.push(question.textInput?.secret ? "••••••" : form.text.trim());
  }
  return labels.length > 0 ? labels.join(", ") : "no answer yet";
}

function opensText(options: PromptOption[], value: string): boolean {
  return options.some((option) => option.value === value && option.opensText === true);
}

function toggled(options: PromptOption[], chosen: string[], value: string): string[] {
  const set = new Set(chosen);
  if (!set.delete(value)) set.add(value);
  return options.map((option) => option.value).filter((each) => set.has(each));
}
