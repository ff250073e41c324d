/* What was: the sessions that ended last, and the way to everything that was said or kept before. */
import { ConfirmButton } from "@/components/confirm-button";
import { Icon } from "@/components/icon";
import { SessionRow } from "@/features/home/session-row";
import { hrefOf } from "@/lib/router";
import { useAppState, useVerbs } from "@/state/app-context";
import type { Session, SessionId } from "@/wire/session";

/** As many as one looks through; the rest is found by searching. */
const FIRST = 10;

export function EarlierSection({ sessions, current }: { sessions: Session[]; current: SessionId | null }) {
  const { tryTo } = useVerbs();
  const loaded = useAppState((state) => state.loaded);
  if (!loaded) return null;
  return (
    <section className="section" aria-label="Earlier">
      <div className="earlier-head">
        <h2 className="section__title">Earlier</h2>
        <a className="text-button earlier-head__all" href={hrefOf({ page: "search" })}>
          all earlier conversations <Icon name="chevron" size={16} />
        </a>
        <a className="icon-button" href={hrefOf({ page: "search" })} aria-label="Search and earlier">
          <Icon name="search" />
        </a>
      </div>
      {sessions.length > 0 && (
        <ul className="rows">
          {sessions.slice(0, FIRST).map((session) => (
            <li key={session.id} className="rows__item">
              <SessionRow session={session} current={session.id === current} />
              <ConfirmButton
                className="text-button rows__forget"
                question="forget?"
                label={`Forget ${session.name}`}
                onConfirm={() => void tryTo({ type: "forget", sessionId: session.id })}
              >
                forget
              </ConfirmButton>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
