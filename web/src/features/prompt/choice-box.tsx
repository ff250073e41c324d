/* One option as a check box or a radio button, named by its label and described by the CLI's second line. */
import { useId } from "react";
import { Visible } from "@/components/visible";
import type { PromptOption } from "@/wire/prompt";

interface Props {
  type: "checkbox" | "radio";
  name: string;
  option: Pick<PromptOption, "label" | "description" | "preview">;
  checked: boolean;
  onChange: () => void;
}

export function ChoiceBox({ type, name, option, checked, onChange }: Props) {
  const id = useId();
  const described = option.description !== undefined || option.preview !== undefined;
  return (
    <label className="choice">
      <input
        type={type}
        name={name}
        checked={checked}
        onChange={onChange}
        aria-labelledby={`${id}-label`}
        aria-describedby={described ? `${id}-more` : undefined}
      />
      <span className="choice__text" dir="auto">
        <span id={`${id}-label`}>
          <Visible text={option.label} />
        </span>
        {described && (
          <span id={`${id}-more`} className="dim small">
            {option.description !== undefined && <Visible text={option.description} />}
            {option.preview !== undefined && (
              <span className="mono option__preview exact">
                <Visible text={option.preview} />
              </span>
            )}
          </span>
        )}
      </span>
    </label>
  );
}
