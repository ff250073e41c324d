/* Review with…: who shall review, what they are asked, and what they get to see. Sent once, whatever the net does. */
import { useState, type SyntheticEvent } from "react";
import { AdapterMark } from "@/components/adapter-badge";
import { Field } from "@/components/field";
import { PageBar } from "@/components/page-bar";
import { Problem } from "@/components/problem";
import { INSTRUCTION, requestText } from "@/features/review/quote";
import "@/features/review/review.css";
import { adapterName } from "@/words/adapter-names";
import { replaceRoute } from "@/lib/router";
import { useSubmit } from "@/lib/use-submit";
import { freshUuid } from "@/lib/uuid";
import { useAppState, useDispatch, useVerbs } from "@/state/app-context";
import type { AdapterInfo, Reviewer, Session, SessionId } from "@/wire/session";

/** A session that is there by its id, or a new one of an adapter. */
interface Choice {
  key: string;
  label: string;
  kind: Session["adapter"];
  note: string;
  reviewer: Reviewer;
}

export function ReviewPage({ sessionId }: { sessionId: SessionId }) {
  const sessions = useAppState((state) => state.sessions);
  const adapters = useAppState((state) => state.adapters);
  const draft = useAppState((state) => state.reviewDraft);
  const session = sessions[sessionId];
  const [text, setText] = useState(draft?.sessionId === sessionId ? draft.text : "");
  const [instruction, setInstruction] = useState(INSTRUCTION);
  const [chosen, setChosen] = useState<string | null>(null);
  const { busy: sending, problem, submit } = useSubmit();
  const [reviewId] = useState(freshUuid);
  const dispatch = useDispatch();
  const { ask } = useVerbs();

  if (!session) return <p className="page empty">There is no such session.</p>;
  const choices = choicesFor(session, Object.values(sessions), adapters);
  const choice = choices.find(({ key }) => key === chosen) ?? choices[0];

  async function send(event: SyntheticEvent) {
    event.preventDefault();
    if (!choice || !session) return;
    await submit(async () => {
      const { sessionId: reviewer } = await ask(
        {
          type: "review",
          reviewId,
          sessionId,
          reviewer: choice.reviewer,
          subject: draft?.subject ?? firstLine(text),
          message: requestText(instruction, adapterName(adapters, session.adapter), text),
        },
        "started",
      );
      dispatch({ type: "review-drafted", draft: null });
      replaceRoute({ page: "pair", sessionId, reviewer });
    });
  }

  return (
    <div className="page">
      <PageBar back={{ page: "chat", sessionId }}>Review with…</PageBar>
      <form className="review-form" onSubmit={(event) => void send(event)}>
        <div className="page__scroll">
          <div className="page__column">
            <fieldset className="stack">
              <legend className="field__label">Reviewer</legend>
              {choices.map((each) => (
                <label key={each.key} className="choice">
                  <input
                    type="radio"
                    name="reviewer"
                    aria-label={each.label}
                    checked={each === choice}
                    onChange={() => setChosen(each.key)}
                  />
                  <span className="choice__text">
                    <span className="review-form__who" dir="auto">
                      <AdapterMark kind={each.kind} />
                      {each.label}
                    </span>
                    <span className="small dim">{each.note}</span>
                  </span>
                </label>
              ))}
            </fieldset>
            <Field label="What to ask">
              <textarea
                className="input"
                rows={3}
                dir="auto"
                value={instruction}
                onChange={(event) => setInstruction(event.target.value)}
              />
            </Field>
            <Field label="What to review">
              <textarea
                className="input input--mono"
                rows={10}
                dir="auto"
                value={text}
                onChange={(event) => setText(event.target.value)}
              />
            </Field>
          </div>
        </div>
        <div className="review-form__foot">
          {problem !== null && <Problem text={problem} />}
          <button
            type="submit"
            className="button button--primary button--wide"
            disabled={sending || !choice || text.trim() === "" || instruction.trim() === ""}
          >
            {sending ? "Sending…" : "Send for review"}
          </button>
        </div>
      </form>
    </div>
  );
}

/** Another adapter first, for that is the point; then sessions that wait for a message; the same adapter last. */
function choicesFor(session: Session, sessions: Session[], adapters: AdapterInfo[]): Choice[] {
  const fresh = adapters
    .filter(({ installed, takesCommand }) => installed && !takesCommand)
    .toSorted((a, b) => Number(a.kind === session.adapter) - Number(b.kind === session.adapter))
    .map(({ kind, name }) => ({
      key: `new ${kind}`,
      label: `New session: ${name}`,
      kind,
      note: `in ${session.folder}`,
      reviewer: {
        type: "new",
        start: { adapter: kind, folder: session.folder, name: `review of ${session.name}`.slice(0, 80) },
      } as const,
    }));
  const there = sessions
    .filter(({ id, state, hasMessages }) => id !== session.id && hasMessages && state.type === "ready")
    .map((other) => ({
      key: other.id,
      label: other.name,
      kind: other.adapter,
      note: `${adapterName(adapters, other.adapter)}, ready, in ${other.folder}`,
      reviewer: { type: "existing", sessionId: other.id } as const,
    }));
  return [...fresh.slice(0, 1), ...there, ...fresh.slice(1)];
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0]?.slice(0, 100) ?? "";
}
