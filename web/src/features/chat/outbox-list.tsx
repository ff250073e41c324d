/*
 * Messages on their way, as bubbles under the chat from the moment they are sent: what is still ours can be changed or taken back; what
 * may have arrived can only be let go; what the server has stays until the conversation tells of it.
 */
import { useMemo } from "react";
import { Icon } from "@/components/icon";
import { useNow } from "@/lib/ticker";
import { useAppState, useDispatch, useVerbs } from "@/state/app-context";
import type { Outgoing } from "@/state/outbox";
import type { SessionId } from "@/wire/session";

/** Before this nobody needs to be told that it is under way. */
const WORTH_TELLING_MS = 1_000;
/** Not everything that is sent becomes a message of the conversation: a command may leave no trace. */
const LONGEST_TAKEN_MS = 10_000;

const NONE: string[] = [];

export function OutboxList({ sessionId, editable }: { sessionId: SessionId; editable: boolean }) {
  const outbox = useAppState((state) => state.outbox);
  const taken = useAppState((state) => state.taken);
  const queued = useAppState((state) => state.sessions[sessionId]?.queued ?? NONE);
  const live = useAppState((state) => state.connection.type === "live");
  const now = useNow();
  const own = useMemo(
    () => outbox.filter((outgoing) => outgoing.sessionId === sessionId),
    [outbox, sessionId],
  );
  const untold = taken.filter(
    (each) => each.sessionId === sessionId && now - each.at < LONGEST_TAKEN_MS && !queued.includes(each.text),
  );
  if (own.length + queued.length + untold.length === 0) return null;
  return (
    <div className="outbox-place">
      {untold.length > 0 && (
        <ul className="outbox" aria-label="Sent messages">
          {untold.map(({ key, text }) => (
            <li key={key} className="outbox__item">
              <p className="outbox__text" dir="auto">
                {text}
              </p>
            </li>
          ))}
        </ul>
      )}
      {own.length + queued.length > 0 && (
        <ul className="outbox" aria-label="Waiting messages">
          {queued.map((text, at) => (
            <li key={`${at} ${text}`} className="outbox__item">
              <p className="outbox__text" dir="auto">
                {text}
              </p>
              <p className="outbox__state small dim">queued by the CLI</p>
            </li>
          ))}
          {own.map((outgoing) => (
            <OutboxItem
              key={outgoing.key}
              outgoing={outgoing}
              live={live}
              editable={editable}
              quiet={isQuick(outgoing, live) && now - outgoing.at < WORTH_TELLING_MS}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

function isQuick({ status, note, unsure }: Outgoing, live: boolean): boolean {
  return live && status !== "held" && note === undefined && !unsure;
}

interface ItemProps {
  outgoing: Outgoing;
  live: boolean;
  editable: boolean;
  /** True while there is nothing to tell of it yet. */
  quiet: boolean;
}

function OutboxItem({ outgoing, live, editable, quiet }: ItemProps) {
  const { key, text, files, status, unsure = false } = outgoing;
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
      {!quiet && (
        <p
          className={status === "held" ? "outbox__state small bad" : "outbox__state small dim"}
          role="status"
        >
          {deliveryWords(outgoing, live)}
        </p>
      )}
      {!quiet && status !== "sending" && (
        <div className="outbox__ways">
          {status === "held" && editable && (
            <button type="button" className="text-button" onClick={() => sendAgain(key)}>
              send again
            </button>
          )}
          {editable && !unsure && (
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
            aria-label={unsure ? `Do not send ${what} again` : `Remove ${what}`}
            onClick={() => dispatch({ type: "outgoing-removed", key })}
          >
            <Icon name="close" size={16} />
          </button>
        </div>
      )}
    </li>
  );
}

function deliveryWords({ status, note, unsure }: Outgoing, live: boolean): string {
  if (status === "held") return `not sent: ${note ?? "the server did not take it"}`;
  if (unsure) {
    return live
      ? "may have arrived: asking the server…"
      : "may have arrived: sent once more when the connection is back, and counts once";
  }
  if (!live) return "not sent yet: goes out when the connection is back";
  if (status === "sending") return "sending…";
  return note === undefined ? "not sent yet: waits its turn" : `not sent yet: ${note}`;
}
