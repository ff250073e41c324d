/* One session on the list: who, what it is called, where, what it does, its last line. */
import { AdapterBadge } from "@/components/adapter-badge";
import { SessionMarks } from "@/components/session-marks";
import { hrefOf } from "@/lib/router";
import { useNow } from "@/lib/ticker";
import { useAppState } from "@/state/app-context";
import { folderName, stateWords } from "@/words/session-words";
import type { Session } from "@/wire/session";

export function SessionRow({ session, current }: { session: Session; current: boolean }) {
  const seen = useAppState((state) => state.seen[session.id] ?? 0);
  const unread = session.messageCount > seen;
  const over = session.state.type === "ended";
  return (
    <a
      className="row"
      href={hrefOf({ page: "chat", sessionId: session.id })}
      aria-current={current ? "page" : undefined}
      data-session={session.id}
    >
      <span className="row__head">
        <AdapterBadge kind={session.adapter} />
        <span className="row__name" dir="auto">
          {session.name}
        </span>
        <SessionMarks session={session} />
        {unread && (
          <span className="row__unread">
            <span className="visually-hidden">unread</span>
          </span>
        )}
        {!over && <SessionWords session={session} />}
      </span>
      <span className="row__line" title={session.folder}>
        {/* How it ended takes many words; beside the name there is no room for them. */}
        {over && <SessionWords session={session} />}
        {/* By default a session is called like its folder; then once is enough. */}
        {folderName(session.folder) !== session.name && (
          <span className="row__folder">{folderName(session.folder)}</span>
        )}
        <span className="row__last" dir="auto">
          {lineOf(session)}
        </span>
      </span>
    </a>
  );
}

/** Its own component, so that only the words tick and not the list. */
function SessionWords({ session }: { session: Session }) {
  const words = stateWords(session, useNow());
  return <span className={`row__state row__state--${session.state.type} tabular`}>{words}</span>;
}

function lineOf({ state, lastLine }: Session): string {
  if (state.type === "busy" && state.detail) return state.detail;
  return lastLine;
}
