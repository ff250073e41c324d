/*
 * What a CLI asks beside its composer and what may be left alone: a quiet card above ours. Nobody is called for it, and messages go
 * out past it.
 */
import { useId } from "react";
import { AnswerStatus } from "@/features/prompt/answer-status";
import "@/features/prompt/aside-card.css";
import { phaseOf } from "@/features/prompt/phase";
import { PlainOptions } from "@/features/prompt/plain-options";
import { versionOf } from "@/features/prompt/shown-input";
import { Visible } from "@/components/visible";
import { useSettling } from "@/lib/settle";
import { useAppState } from "@/state/app-context";
import type { PendingPrompt } from "@/wire/prompt";

export function AsideCard({ pending }: { pending: PendingPrompt }) {
  const { prompt } = pending;
  const own = useAppState((state) => state.ownAnswers[prompt.requestId]);
  const id = useId();
  const phase = phaseOf(pending, own);
  const settling = useSettling(`${phase.type} ${versionOf(prompt)}`);

  return (
    <section className="aside-card" aria-labelledby={`${id}-title`}>
      <p id={`${id}-title`} dir="auto">
        <Visible text={prompt.title} />
      </p>
      {prompt.description !== "" && (
        <p className="dim small" dir="auto">
          <Visible text={prompt.description} />
        </p>
      )}
      <div className="aside-card__options">
        <PlainOptions
          prompt={prompt}
          options={prompt.options ?? []}
          locked={phase.type === "under-way"}
          settling={settling}
        />
      </div>
      <AnswerStatus phase={phase} prompt={prompt} />
    </section>
  );
}
