/* Options that are answered by one tap, a button each. Where they stand is for the card to say; and when they have settled there. */
import { OptionSign } from "@/features/prompt/option-sign";
import { Visible } from "@/components/visible";
import { emptyForm, step } from "@/features/prompt/form";
import { isSecret } from "@/features/prompt/shape";
import type { Settling } from "@/lib/settle";
import { useVerbs } from "@/state/app-context";
import type { InteractivePrompt, PromptOption, PromptResponse } from "@/wire/prompt";

interface Props {
  prompt: InteractivePrompt;
  options: PromptOption[];
  locked: boolean;
  settling: Settling;
}

export function PlainOptions({ prompt, options, locked, settling: { settling, isSettled } }: Props) {
  const { respond } = useVerbs();

  function choose(value: string) {
    const response = isSettled() ? tapped(prompt, value) : null;
    if (response) void respond(response, isSecret(prompt));
  }

  return options.map((option) => (
    <button
      key={option.value}
      type="button"
      className={settling ? "button settling" : "button"}
      disabled={locked}
      onClick={() => choose(option.value)}
    >
      <OptionSign role={option.role} className="plain-option__sign" />
      <span className="plain-option">
        <Visible text={option.label} />
        {option.description !== undefined && (
          <span className="plain-option__more">
            <Visible text={option.description} />
          </span>
        )}
      </span>
    </button>
  ));
}

/** What one tap on an option answers, if one is enough. */
function tapped(prompt: InteractivePrompt, value: string): PromptResponse | null {
  return step(prompt, emptyForm(prompt), { type: "tap", value }, performance.now()).response;
}
