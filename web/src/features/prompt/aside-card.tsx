/*
 * What a CLI asks beside its composer and what may be left alone: a quiet card above ours. Nobody is called for it, and messages go
 * out past it.
 */
import { useId } from "react";
import { AnswerStatus } from "@/features/prompt/answer-status";
import "@/features/prompt/aside-card.css";
import { phaseOf } from "@/features/prompt/phase";
import { PlainOptions } from "@/features/prompt/plain-options";
import { useAppState } from "@/state/app-context";
import type { PendingPrompt } from "@/wire/prompt";

export function AsideCard({ pending }: { pending: PendingPrompt }) {
  const { prompt } = pending;
  const own = useAppState((state) => state.ownAnswers[prompt.requestId]);
  const id = useId();
  const phase = phaseOf(pending, own);

  return (
    <section className="aside-card" aria-labelledby={`${id}-title`}>
      <p id={`${id}-title`} dir="auto">
        {prompt.title}
      </p>
      {prompt.description !== "" && (
        <p className="dim small" dir="auto">
          {prompt.description}
        </p>
      )}
      <div className="aside-card__options">
        <PlainOptions prompt={prompt} locked={phase.type === "under-way"} />
      </div>
      <AnswerStatus phase={phase} prompt={prompt} />
    </section>
  );
}
