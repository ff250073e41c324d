/* The options of a plain choice, a button each: one tap answers. Where they stand is for the card to say. */
import { emptyForm, step } from "@/features/prompt/form";
import { isSecret } from "@/features/prompt/shape";
import { useVerbs } from "@/state/app-context";
import type { InteractivePrompt } from "@/wire/prompt";

export function PlainOptions({ prompt, locked }: { prompt: InteractivePrompt; locked: boolean }) {
  const { respond } = useVerbs();

  function choose(value: string) {
    const { response } = step(prompt, emptyForm(prompt), { type: "tap", value });
    if (response) void respond(response, isSecret(prompt));
  }

  return prompt.options?.map((option) => (
    <button
      key={option.value}
      type="button"
      className="button"
      disabled={locked}
      onClick={() => choose(option.value)}
    >
      {option.label}
    </button>
  ));
}
