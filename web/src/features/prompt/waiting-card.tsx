/*
 * One waiting prompt in the inbox. What is wholly seen on the card and weighs little is answered right there; anything else opens the
 * sheet.
 */
import { useId } from "react";
import { AdapterBadge } from "@/components/adapter-badge";
import { Icon } from "@/components/icon";
import { SessionMarks } from "@/components/session-marks";
import { Visible } from "@/components/visible";
import { AnswerStatus } from "@/features/prompt/answer-status";
import { phaseOf } from "@/features/prompt/phase";
import { PlainOptions } from "@/features/prompt/plain-options";
import { cardOptions, gistOf, namesTool, type Gist } from "@/features/prompt/shape";
import { versionOf } from "@/features/prompt/shown-input";
import { useAllSeen } from "@/features/prompt/use-all-seen";
import { hrefOf } from "@/lib/router";
import type { Settling } from "@/lib/settle";
import { useNow } from "@/lib/ticker";
import { clock } from "@/words/time";
import { useAppState, useDispatch } from "@/state/app-context";
import { useAdapterName } from "@/state/use-adapter";
import type { PendingPrompt, Risk } from "@/wire/prompt";

export function WaitingCard({ pending, settling }: { pending: PendingPrompt; settling: Settling }) {
  const { prompt } = pending;
  const session = useAppState((state) => state.sessions[prompt.sessionId ?? ""]);
  const own = useAppState((state) => state.ownAnswers[prompt.requestId]);
  const who = useAdapterName(prompt.adapter);
  const dispatch = useDispatch();
  const id = useId();
  const phase = phaseOf(pending, own);
  const [text, allSeen] = useAllSeen<HTMLSpanElement>(versionOf(prompt));
  const options = cardOptions(prompt);
  const answerable = options.length > 0 && allSeen;
  const open = () => dispatch({ type: "sheet-raised", requestId: prompt.requestId });

  return (
    <article className="waiting-card" aria-labelledby={`${id}-title`}>
      <a
        className="waiting-card__who"
        href={
          prompt.sessionId === undefined ? undefined : hrefOf({ page: "chat", sessionId: prompt.sessionId })
        }
        data-session={prompt.sessionId}
      >
        <AdapterBadge kind={prompt.adapter} />
        <span className="waiting-card__name" dir="auto">
          {session?.name}
        </span>
        {session && <SessionMarks session={session} />}
        {prompt.createdAt !== undefined && <WaitingClock since={prompt.createdAt} />}
      </a>
      <button type="button" className="waiting-card__what" onClick={open} aria-labelledby={`${id}-title`}>
        <span className="waiting-card__title">
          <span id={`${id}-title`} dir="auto">
            <Visible text={prompt.title} />
          </span>
          {!answerable && <Icon name="chevron" size={18} />}
        </span>
        {namesTool(prompt) && (
          <span className="waiting-card__tool mono exact">
            <Visible text={prompt.toolName ?? ""} />
          </span>
        )}
        <span className="waiting-card__text" ref={text}>
          <GistLines gist={gistOf(prompt)} who={who} />
        </span>
        {(prompt.incomplete ?? prompt.warning !== undefined) && (
          <span className="waiting-card__risk">
            <Icon name="warning" size={16} />
            {prompt.incomplete ? "not all of it is shown" : "the terminal shows something else"}
          </span>
        )}
        {prompt.risk && prompt.risk.level !== "low" && <RiskLine risk={prompt.risk} />}
      </button>
      {phase.type !== "open" && <AnswerStatus phase={phase} prompt={prompt} />}
      {answerable && (
        <div className="waiting-card__actions">
          <PlainOptions
            prompt={prompt}
            options={options}
            locked={phase.type === "under-way"}
            settling={settling}
          />
          <button type="button" className="text-button waiting-card__more" onClick={open}>
            more
            <Icon name="chevron" size={16} />
          </button>
        </div>
      )}
    </article>
  );
}

function GistLines({ gist: { text, mono, fields, said }, who }: { gist: Gist; who: string }) {
  return (
    <>
      {text !== "" && (
        <span
          className={mono ? "waiting-card__gist mono exact" : "waiting-card__gist"}
          dir={mono ? undefined : "auto"}
        >
          <Visible text={text} />
        </span>
      )}
      {fields.map(({ name, text: value }) => (
        <span key={name} className="waiting-card__gist mono exact">
          <Visible text={`${name}: ${value}`} />
        </span>
      ))}
      {said !== "" && (
        <span className="waiting-card__said" dir="auto">
          {who}: “<Visible text={said} />”
        </span>
      )}
    </>
  );
}

/** The first reason, and how many more there are. */
function RiskLine({ risk: { level, reasons } }: { risk: Risk }) {
  const [first = "risky", ...others] = reasons;
  return (
    <span className={`waiting-card__risk waiting-card__risk--${level}`}>
      <Icon name="warning" size={16} />
      <span>
        <Visible text={first} />
        {others.length > 0 && ` +${others.length}`}
      </span>
    </span>
  );
}

function WaitingClock({ since }: { since: number }) {
  return <span className="waiting-card__clock tabular">{clock(useNow() - since)}</span>;
}
