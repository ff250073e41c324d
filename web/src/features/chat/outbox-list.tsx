/*
 * Messages on their way, under the chat: what is still ours can be changed or taken back; what the CLI has taken and not
 * begun with is its own, and only shown.
 */
import { useMemo } from "react";
import { Icon } from "@/components/icon";
import { useNow } from "@/lib/ticker";
import { useAppState, useDispatch, useVerbs } from "@/state/app-context";
import type { Outgoing } from "@/state/outbox";
import type { SessionId } from "@/wire/session";

/** A message that is taken sooner than this is not worth a line that comes and goes. */
const WORTH_SHOWING_MS = 1_000;

const NONE: string[] = [];

export function OutboxList({ sessionId, editable }: { sessionId: SessionId; editable: boolean }) {
  const outbox = useAppState((state) => state.outbox);
  const queued = useAppState((state) => state.sessions[sessionId]?.queued ?? NONE);
  const live = useAppState((state) => state.connection.type === "live");
  const now = useNow();
  const own = useMemo(
    () => outbox.filter((outgoing) => outgoing.sessionId === sessionId),
    [outbox, sessionId],
  );
  const shown = own.filter(({ at, status, note }) => {
    const quick = live && status !== "held" && note === undefined && own.length === 1;
    return !quick || now - at >= WORTH_SHOWING_MS;
  });
  if (shown.length === 0 && queued.length === 0) return null;
  return (
    <ul className="outbox" aria-label="Waiting messages">
      {queued.map((text, at) => (
        <li key={`${at} ${text}`} className="outbox__item">
          <p className="outbox__text" dir="auto">
            {text}
          </p>
          <p className="outbox__state small dim">queued by the CLI</p>
        </li>
      ))}
      {shown.map((outgoing) => (
        <OutboxItem key={outgoing.key} outgoing={outgoing} live={live} editable={editable} />
      ))}
    </ul>
  );
}

interface ItemProps {
  outgoing: Outgoing;
  live: boolean;
  editable: boolean;
}

function OutboxItem({ outgoing, live, editable }: ItemProps) {
  const { key, text, files, status } = outgoing;
  const dispatch = useDispatch();
  const { sendAgain } = useVerbs();
  const names = files.map(({ name }) => name).join(", ");
  const [first = ""] = text.split("\n");
  const what = first || names;
  return (
    <li className="outbox__item outbox__item--own">
      <p className="outbox__text" dir="auto">
        {text}
        {names !== "" && <span className="dim"> {names}</span>}
      </p>
      <p className={status === "held" ? "outbox__state small bad" : "outbox__state small dim"} role="status">
        {stateWords(outgoing, live)}
      </p>
      {status !== "sending" && (
        <div className="outbox__ways">
          {status === "held" && editable && (
            <button type="button" className="text-button" onClick={() => sendAgain(key)}>
              send again
            </button>
          )}
          {editable && (
            <button
              type="button"
              className="text-button"
              aria-label={`Edit ${what}`}
              onClick={() => dispatch({ type: "outgoing-edited", key })}
            >
              edit
            </button>
          )}
          <button
            type="button"
            className="icon-button"
            aria-label={`Remove ${what}`}
            onClick={() => dispatch({ type: "outgoing-removed", key })}
          >
            <Icon name="close" size={16} />
          </button>
        </div>
      )}
    </li>
  );
}

function stateWords({ status, note }: Outgoing, live: boolean): string {
  if (status === "held") return `not sent: ${note ?? "the server did not take it"}`;
  if (!live) return "not sent yet: goes out when the connection is back";
  if (status === "sending") return "sending…";
  return note === undefined ? "not sent yet: waits its turn" : `not sent yet: ${note}`;
}
