/* Joins the socket to the store, and the world outside (network, visibility) to the socket. */
import { isPaired } from "@/lib/api";
import { backoffMs } from "@/lib/backoff";
import { provesFor, socketProof } from "@/lib/credential";
import { openLine } from "@/lib/early-line";
import { createSocket, type Socket, type SocketStatus } from "@/lib/socket";
import type { ServerMessage } from "@/wire/protocol";
import type { Store } from "@/state/store";

/** A gap soon after the last one is a fault of the server's: then it is not dialled in a loop. */
const STEADY_MS = 30_000;

export function connect(store: Store): Socket {
  let gaps = 0;
  let lastGap = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Fetches everything anew: at once the first time, later and later when it does not help. */
  function startOver() {
    if (timer !== undefined) return;
    const now = Date.now();
    gaps = now - lastGap < STEADY_MS ? gaps + 1 : 0;
    lastGap = now;
    timer = setTimeout(
      () => {
        timer = undefined;
        socket.restart();
      },
      gaps === 0 ? 0 : backoffMs(gaps, Math.random()),
    );
  }

  const socket = createSocket({
    openLine,
    resumePoint() {
      const { sync } = store.getState();
      return sync.type === "at" ? { epoch: sync.epoch, lastSeq: sync.seq } : null;
    },
    onMessage(message) {
      take(store, message);
      if (store.getState().sync.type === "gap") startOver();
    },
    onStatus: (status) => takeStatus(store, status),
    prove: socketProof,
    isPaired,
  });

  addEventListener("online", socket.wake);
  addEventListener("offline", socket.networkLost);
  addEventListener("pageshow", socket.wake);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") socket.wake();
  });
  return socket;
}

function take(store: Store, message: Exclude<ServerMessage, { type: "reply" | "challenge" }>) {
  switch (message.type) {
    case "welcome": {
      provesFor(message.epoch);
      store.dispatch({ type: "welcome", welcome: message });
      return;
    }
    case "snapshot":
    case "event":
    case "screen": {
      store.dispatch(message);
      return;
    }
    case "error": {
      console.warn("the server could not read a frame:", message.error.message);
      return;
    }
    default:
    // A newer server may say things that this page does not know.
  }
}

/** A new attempt after a loss is still the loss; that the line is live is known only once the state is up to date. */
function takeStatus(store: Store, status: SocketStatus) {
  switch (status) {
    case "lost": {
      store.dispatch({ type: "connection", connection: { type: "lost", since: Date.now() } });
      return;
    }
    case "not-paired":
    case "outdated": {
      store.dispatch({ type: "connection", connection: { type: status } });
      return;
    }
    case "doubted": {
      if (store.getState().connection.type === "live") {
        store.dispatch({ type: "connection", connection: { type: "checking" } });
      }
      return;
    }
    case "trusted": {
      if (store.getState().connection.type === "checking") {
        store.dispatch({ type: "connection", connection: { type: "live" } });
      }
      return;
    }
    case "connecting":
    case "open":
  }
}
