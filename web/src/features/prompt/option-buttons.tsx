/*
 * The CLI's own options, in its words and order, one full-width button each. All weigh the same; a sign at their side says which lets it
 * happen and which does not, and a gap divides the two.
 */
import { Fragment, useId } from "react";
import { Icon } from "@/components/icon";
import { Visible } from "@/components/visible";
import { OptionSign } from "@/features/prompt/option-sign";
import { rememberOf } from "@/features/prompt/remember";
import type { AnswerProps } from "@/features/prompt/prompt-answer";
import { grantWords, isDangerous, isLasting } from "@/features/prompt/shape";
import { TextAnswer } from "@/features/prompt/text-answer";
import type { InteractivePrompt, PromptOption } from "@/wire/prompt";

export function OptionButtons(props: AnswerProps) {
  const { prompt, form, locked, onInput } = props;
  const options = prompt.options ?? [];
  return (
    <div className="options">
      {options.map((option, index) => (
        <Fragment key={option.value}>
          <OptionButton
            prompt={prompt}
            option={option}
            digit={index + 1}
            apart={index > 0 && refuses(option) && !refuses(options[index - 1])}
            armed={form.armed?.what === option.value}
            saves={rememberOf(form.wish, option)?.rule}
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

function refuses(option: PromptOption | undefined): boolean {
  return option?.role === "deny" || option?.role === "feedback";
}

interface ButtonProps {
  prompt: InteractivePrompt;
  option: PromptOption;
  digit: number;
  /** The first that does not let it happen, after those that do. */
  apart: boolean;
  armed: boolean;
  /** The rule that is saved with it. */
  saves: string | undefined;
  opened: boolean;
  disabled: boolean;
  onTap: () => void;
}

function OptionButton({ prompt, option, digit, apart, armed, saves, opened, disabled, onTap }: ButtonProps) {
  const id = useId();
  const dangerous = isDangerous(prompt, option);
  const rule = saves === undefined ? "" : `saves the rule ${saves}`;
  const grants = armed ? [grantWords(prompt, option), rule].filter(Boolean).join(" · ") : rule;
  const described = option.description !== undefined || option.preview !== undefined || grants !== "";
  const classes = [
    "option",
    apart && "option--apart",
    armed && "option--armed",
    dangerous && "option--dangerous",
  ];
  return (
    <button
      type="button"
      className={classes.filter(Boolean).join(" ")}
      disabled={disabled}
      data-armed={armed ? "" : undefined}
      aria-labelledby={`${id}-label`}
      aria-describedby={described ? `${id}-more` : undefined}
      aria-expanded={option.opensText ? opened : undefined}
      aria-keyshortcuts={digit <= 9 ? String(digit) : undefined}
      onClick={onTap}
    >
      <OptionSign role={option.role} className="option__sign" />
      <span className="option__text" dir="auto">
        <span id={`${id}-label`}>
          {armed && "tap again: "}
          <Visible text={option.label} />
        </span>
        {described && (
          <span id={`${id}-more`} className="option__more">
            {grants !== "" && (
              <span className="option__grants">
                <Visible text={grants} />
              </span>
            )}
            {option.description !== undefined && <Visible text={option.description} />}
            {option.preview !== undefined && (
              <span className="mono option__preview exact">
                <Visible text={option.preview} />
              </span>
            )}
          </span>
        )}
      </span>
      {option.opensText && <Icon name="keyboard" size={18} />}
      {!armed && isLasting(option) && <span className="option__note">lasting</span>}
      <span className="option__digit tabular" aria-hidden="true">
        {digit <= 9 ? digit : ""}
      </span>
    </button>
  );
}
