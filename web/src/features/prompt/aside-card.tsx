/*
 * What a CLI asks beside its composer and what may be left alone: a quiet card above ours. Nobody is called for it, and messages go
 * out past it.
 */
import { useId } from "react";
import { AnswerStatus } from "@/features/prompt/answer-status";
import "@/features/prompt/aside-card.css";
import { emptyForm, step } from "@/features/prompt/form";
import { phaseOf } from "@/features/prompt/phase";
import { useAppState, useVerbs } from "@/state/app-context";
import type { PendingPrompt } from "@/wire/prompt";

export function AsideCard({ pending }: { pending: PendingPrompt }) {
  const { prompt } = pending;
  const own = useAppState((state) => state.ownAnswers[prompt.requestId]);
  const { respond } = useVerbs();
  const id = useId();
  const phase = phaseOf(pending, own);

  function choose(value: string) {
    const { response } = step(prompt, emptyForm(prompt), { type: "tap", value });
    if (response) void respond(response, false);
  }

  return (
    <section className="aside-card" aria-labelledby={`${id}-title`}>
      <p className="aside-card__title" id={`${id}-title`} dir="auto">
        {prompt.title}
      </p>
      {prompt.description !== "" && (
        <p className="dim small" dir="auto">
          {prompt.description}
        </p>
      )}
      <div className="aside-card__options">
        {prompt.options?.map((option) => (
          <button
            key={option.value}
            type="button"
            className="button"
            disabled={phase.type === "under-way"}
            onClick={() => choose(option.value)}
          >
            {option.label}
          </button>
        ))}
      </div>
      <AnswerStatus phase={phase} prompt={prompt} />
    </section>
  );
}
