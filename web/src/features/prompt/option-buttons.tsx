/* The CLI's own options, in its words and order, one full-width button each. */
import { Fragment, useId } from "react";
import { Icon } from "@/components/icon";
import type { AnswerProps } from "@/features/prompt/prompt-answer";
import { grantWords, isDangerous, isLasting } from "@/features/prompt/shape";
import { TextAnswer } from "@/features/prompt/text-answer";
import type { InteractivePrompt, PromptOption } from "@/wire/prompt";

export function OptionButtons(props: AnswerProps) {
  const { prompt, form, locked, onInput } = props;
  return (
    <div className="options">
      {(prompt.options ?? []).map((option, index) => (
        <Fragment key={option.value}>
          <OptionButton
            prompt={prompt}
            option={option}
            digit={index + 1}
            armed={form.armed === option.value}
            opened={form.opened === option.value}
            disabled={locked}
            onTap={() => onInput({ type: "tap", value: option.value })}
          />
          {form.opened === option.value && <TextAnswer {...props} focus />}
        </Fragment>
      ))}
    </div>
  );
}

interface ButtonProps {
  prompt: InteractivePrompt;
  option: PromptOption;
  digit: number;
  armed: boolean;
  opened: boolean;
  disabled: boolean;
  onTap: () => void;
}

function OptionButton({ prompt, option, digit, armed, opened, disabled, onTap }: ButtonProps) {
  const id = useId();
  const dangerous = isDangerous(prompt, option);
  const grants = armed ? grantWords(prompt, option) : "";
  const described = option.description !== undefined || option.preview !== undefined || grants !== "";
  return (
    <button
      type="button"
      className={`option ${armed ? "option--armed" : ""} ${dangerous ? "option--dangerous" : ""}`}
      disabled={disabled}
      aria-labelledby={`${id}-label`}
      aria-describedby={described ? `${id}-more` : undefined}
      aria-expanded={option.opensText ? opened : undefined}
      onClick={onTap}
    >
      <span className="option__digit tabular" aria-hidden="true">
        {digit <= 9 ? digit : ""}
      </span>
      <span className="option__text" dir="auto">
        <span id={`${id}-label`}>{armed ? `tap again: ${option.label}` : option.label}</span>
        {described && (
          <span id={`${id}-more`} className="option__more">
            {grants !== "" && <span className="option__grants">{grants}</span>}
            {option.description}
            {option.preview !== undefined && <span className="mono option__preview">{option.preview}</span>}
          </span>
        )}
      </span>
      {option.opensText && <Icon name="keyboard" size={18} />}
      {!armed && dangerous && (
        <span className="option__note bad">
          <Icon name="warning" size={16} />
          risky
        </span>
      )}
      {!armed && !dangerous && isLasting(option) && <span className="option__note">lasting</span>}
    </button>
  );
}
