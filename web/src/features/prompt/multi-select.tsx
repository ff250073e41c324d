/* Options of which several may be chosen together: check boxes, sent with one button. */
import { ChoiceBox } from "@/features/prompt/choice-box";
import type { AnswerProps } from "@/features/prompt/prompt-answer";

export function MultiSelect({ prompt, form, locked, onInput }: AnswerProps) {
  const options = prompt.options ?? [];
  const takesText =
    prompt.textInput !== undefined ||
    options.some((option) => option.opensText && form.checked.includes(option.value));
  return (
    <fieldset className="options" disabled={locked}>
      <legend className="visually-hidden">{prompt.title}</legend>
      {options.map((option) => (
        <ChoiceBox
          key={option.value}
          type="checkbox"
          name={prompt.requestId}
          option={option}
          checked={form.checked.includes(option.value)}
          onChange={() => onInput({ type: "toggle", value: option.value })}
        />
      ))}
      {takesText && (
        <input
          className="input"
          aria-label="Your answer"
          placeholder={prompt.textInput?.placeholder}
          value={form.text}
          onChange={(event) => onInput({ type: "text", text: event.target.value })}
        />
      )}
    </fieldset>
  );
}
