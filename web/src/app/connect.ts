/* Joins the socket to the store, and the world outside (network, visibility) to the socket. */
import { whoAmI } from "@/lib/api";
import { openLine } from "@/lib/early-line";
import { createSocket, type Socket, type SocketStatus } from "@/lib/socket";
import type { ServerMessage } from "@/wire/protocol";
import type { Store } from "@/state/store";

export function connect(store: Store): Socket {
  const socket = createSocket({
    openLine,
    resumePoint() {
      const { sync } = store.getState();
      return sync.type === "at" ? { epoch: sync.epoch, lastSeq: sync.seq } : null;
    },
    onMessage(message) {
      take(store, message);
      if (store.getState().sync.type === "gap") socket.restart();
    },
    onStatus: (status) => takeStatus(store, status),
    isPaired: async () => (await whoAmI()).device !== null,
  });

  addEventListener("online", socket.wake);
  addEventListener("offline", socket.networkLost);
  addEventListener("pageshow", socket.wake);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") socket.wake();
  });
  return socket;
}

function take(store: Store, message: Exclude<ServerMessage, { type: "reply" }>) {
  switch (message.type) {
    case "welcome": {
      store.dispatch({ type: "welcome", welcome: message });
      return;
    }
    case "snapshot":
    case "event":
    case "screen": {
      store.dispatch(message);
      return;
    }
    case "error":
      console.warn("the server could not read a frame:", message.error.message);
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
    case "connecting":
    case "open":
  }
}
