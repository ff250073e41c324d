/*
 * Sends what waits in the outbox: once the line is live, the first of each session, the next when it was taken.
 * A reply that got lost is no matter: the same key is sent again, and the server knows it.
 */
import { failureText, RequestFailed, type FailureCode } from "@/lib/request-failed";
import type { Socket } from "@/lib/socket";
import { heads, type Outgoing } from "@/state/outbox";
import type { Store } from "@/state/store";

/** How soon a message is tried again that the session could not take just now, when nothing else is heard of it. */
export const AGAIN_MS = 2_000;
/** Another tab of this device sends its own; only when it does not, this one does. */
const OTHER_TAB_MS = 5_000;

/** Passing reasons: the message waits. Any other is for the person to decide. */
const PASSING: readonly FailureCode[] = [
  "timeout",
  "disconnected",
  "not-sent",
  "session-busy",
  "session-starting",
  "terminal-unavailable",
  "store-unavailable",
];

/** A message that is not to be tried before then, unless its session has changed. */
interface Pause {
  until: number;
  stateSince: number | undefined;
}

export function sendOutbox(store: Store, socket: Pick<Socket, "request">): () => void {
  const { dispatch, getState } = store;
  const underWay = new Set<string>();
  const pauses = new Map<string, Pause>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let due = 0;

  function pump() {
    const { connection, outbox } = getState();
    if (connection.type !== "live") return;
    for (const outgoing of heads(outbox)) {
      if (outgoing.status !== "waiting" || underWay.has(outgoing.key)) continue;
      const wait = waitOf(outgoing);
      if (wait > 0) later(wait);
      else void send(outgoing);
    }
  }

  function waitOf({ key, sessionId, at, elsewhere }: Outgoing): number {
    const now = Date.now();
    const pause = pauses.get(key);
    if (pause && getState().sessions[sessionId]?.stateSince === pause.stateSince) return pause.until - now;
    return elsewhere ? at + OTHER_TAB_MS - now : 0;
  }

  /** The first that is due counts. */
  function later(ms: number) {
    const at = Date.now() + ms;
    if (timer !== undefined && due <= at) return;
    clearTimeout(timer);
    due = at;
    timer = setTimeout(() => {
      timer = undefined;
      pump();
    }, ms);
  }

  async function send({ key, sessionId, text, files }: Outgoing) {
    underWay.add(key);
    dispatch({ type: "outgoing", key, change: { status: "sending" } });
    try {
      const ids = files.map(({ id }) => id);
      await socket.request({
        type: "send-text",
        sessionId,
        text,
        idempotencyKey: key,
        ...(ids.length > 0 && { files: ids }),
      });
      underWay.delete(key);
      pauses.delete(key);
      dispatch({ type: "outgoing-taken", key, at: Date.now() });
    } catch (error) {
      underWay.delete(key);
      const code = error instanceof RequestFailed ? error.code : "internal";
      if (!PASSING.includes(code)) {
        dispatch({ type: "outgoing-refused", key, refused: { code, message: failureText(error) } });
        return;
      }
      const lost = code === "timeout" || code === "disconnected";
      pauses.set(key, {
        until: Date.now() + AGAIN_MS,
        stateSince: getState().sessions[sessionId]?.stateSince,
      });
      // A reply, even a refusal, says that it did not arrive before.
      const known = lost ? { unsure: true as const } : { note: failureText(error), unsure: undefined };
      dispatch({ type: "outgoing", key, change: { status: "waiting", ...known } });
    }
  }

  const stop = store.subscribe(pump);
  pump();
  return () => {
    clearTimeout(timer);
    stop();
  };
}
