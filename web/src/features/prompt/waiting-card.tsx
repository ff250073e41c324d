/* One waiting prompt in the inbox: a plain choice is answered right here, anything else opens the sheet. */
import { useId } from "react";
import { AdapterBadge } from "@/components/adapter-badge";
import { Icon } from "@/components/icon";
import { AnswerStatus } from "@/features/prompt/answer-status";
import { phaseOf } from "@/features/prompt/phase";
import { PlainOptions } from "@/features/prompt/plain-options";
import { gistOf, isPlainChoice } from "@/features/prompt/shape";
import { useNow } from "@/lib/ticker";
import { clock } from "@/lib/time";
import { useAppState, useDispatch } from "@/state/app-context";
import type { PendingPrompt } from "@/wire/prompt";

export function WaitingCard({ pending }: { pending: PendingPrompt }) {
  const { prompt } = pending;
  const session = useAppState((state) => state.sessions[prompt.sessionId ?? ""]);
  const own = useAppState((state) => state.ownAnswers[prompt.requestId]);
  const dispatch = useDispatch();
  const id = useId();
  const phase = phaseOf(pending, own);
  const gist = gistOf(prompt);
  const plain = isPlainChoice(prompt);
  const open = () => dispatch({ type: "sheet-raised", requestId: prompt.requestId });

  return (
    <article className="waiting-card" aria-labelledby={`${id}-title`}>
      <button type="button" className="waiting-card__what" onClick={open} aria-labelledby={`${id}-title`}>
        <span className="waiting-card__who">
          <AdapterBadge kind={prompt.adapter} />
          <span className="waiting-card__name" dir="auto">
            {session?.name}
          </span>
          {prompt.createdAt !== undefined && <WaitingClock since={prompt.createdAt} />}
        </span>
        <span className="waiting-card__title">
          <span id={`${id}-title`} dir="auto">
            {prompt.title}
          </span>
          {!plain && <Icon name="chevron" size={18} />}
        </span>
        {gist.text !== "" && (
          <span className={gist.mono ? "waiting-card__gist mono" : "waiting-card__gist"} dir="auto">
            {gist.text}
          </span>
        )}
        {prompt.risk?.level === "high" && (
          <span className="waiting-card__risk">
            <Icon name="warning" size={16} />
            {prompt.risk.reasons[0]}
          </span>
        )}
      </button>
      {phase.type !== "open" && <AnswerStatus phase={phase} prompt={prompt} />}
      {plain && (
        <div className="waiting-card__actions">
          <PlainOptions prompt={prompt} locked={phase.type === "under-way"} />
          <button type="button" className="text-button waiting-card__more" onClick={open}>
            more
            <Icon name="chevron" size={16} />
          </button>
        </div>
      )}
    </article>
  );
}

function WaitingClock({ since }: { since: number }) {
  return <span className="waiting-card__clock tabular">{clock(useNow() - since)}</span>;
}
