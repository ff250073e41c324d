/*
 * The one effectful edge towards the server: opens the WebSocket, says hello, hands messages in, sends requests
 * out, and comes back by itself after every loss. It keeps no server state: where to resume from is asked of
 * the caller (`resumePoint`), and whatever arrives is handed to `onMessage` untouched.
 */
import { backoffMs } from "@/lib/backoff";
import type { Line } from "@/lib/early-line";
import { createPendingRequests, mayWait } from "@/lib/pending-requests";
import { RequestFailed } from "@/lib/request-failed";
import type { ClientMessage, Command, ReplyData, ServerMessage } from "@/wire/protocol";
import type { SessionId } from "@/wire/session";
import { PROTOCOL_VERSION } from "@/wire/version";

/** The server's own close codes; any other close is an accident and is repaired. */
const CLOSE_NOT_PAIRED = 4401;
const CLOSE_PROTOCOL = 4406;

/** A phone network can swallow the first packet whole; then a fresh attempt is quicker than patience. */
const CONNECT_TIMEOUT_MS = 8_000;
/** After a sleep a socket may look open and be dead; one that was heard within this time is trusted. */
const TRUSTED_SILENCE_MS = 10_000;
/** How long a doubted socket has to say anything at all. */
const PROBE_MS = 4_000;

/** `doubted`: it looks open, and whether it is, is being found out; `trusted` again once anything was heard. */
export type SocketStatus = "connecting" | "open" | "doubted" | "trusted" | "lost" | "not-paired" | "outdated";

export interface SocketPorts {
  /** A connection; one that was opened early has said hello by itself as soon as it could. */
  openLine: () => Line;
  /** The epoch and the last event seen in it, or nothing when a snapshot is wanted. */
  resumePoint: () => { epoch: string; lastSeq: number } | null;
  /** The proof of this device's key over a nonce of the server's, or nothing when it has none. */
  prove: (nonce: string) => string | null;
  onMessage: (message: Exclude<ServerMessage, { type: "reply" | "challenge" }>) => void;
  onStatus: (status: SocketStatus) => void;
  /** Whether the server knows this device; asked when it would not even open the socket. */
  isPaired: () => Promise<boolean>;
}

export interface Socket {
  start: () => void;
  stop: () => void;
  /** Opens the connection anew at once, for instance because an event is missing. */
  restart: () => void;
  /** The network, or the person, came back: no reason to wait any longer. */
  wake: () => void;
  /** The device says that it has no network: nothing will come over this connection any more. */
  networkLost: () => void;
  request: (command: Command) => Promise<ReplyData>;
  /** Asks for a session's screen until the returned function is called; several may ask for the same one. */
  watch: (sessionId: SessionId) => () => void;
}

export function createSocket(ports: SocketPorts): Socket {
  const watched = new Map<SessionId, number>();
  const pending = createPendingRequests(() => dropIfSilent(socket, TRUSTED_SILENCE_MS));
  let socket: WebSocket | null = null;
  let welcomed = false;
  let running = false;
  let attempt = 0;
  let heardAt = 0;
  let doubted = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function open() {
    clearTimeout(timer);
    welcomed = false;
    const { socket: mine, heard } = ports.openLine();
    socket = mine;
    ports.onStatus("connecting");
    timer = setTimeout(() => drop(mine), CONNECT_TIMEOUT_MS);
    mine.onmessage = (event) => {
      if (socket === mine) receive(String(event.data));
    };
    mine.onclose = (event) => {
      if (socket === mine) closed(event.code);
    };
    for (const text of heard) {
      if (socket === mine) receive(text);
    }
  }

  function send(message: ClientMessage) {
    socket?.send(JSON.stringify(message));
  }

  function receive(text: string) {
    heardAt = Date.now();
    if (doubted) {
      doubted = false;
      ports.onStatus("trusted");
    }
    const message = parse(text);
    if (!message) return;
    if (message.type === "reply") {
      pending.settle(message.id, message.result);
      return;
    }
    if (message.type === "challenge") {
      sayHello(message.nonce);
      return;
    }
    if (message.type === "welcome" && message.protocol !== PROTOCOL_VERSION) {
      finish("outdated");
      return;
    }
    if (message.type === "welcome") welcome();
    ports.onMessage(message);
  }

  function sayHello(nonce: string) {
    const proof = ports.prove(nonce);
    if (proof === null) finish("not-paired");
    else send({ type: "hello", protocol: PROTOCOL_VERSION, ...ports.resumePoint(), proof });
  }

  function welcome() {
    clearTimeout(timer);
    welcomed = true;
    attempt = 0;
    ports.onStatus("open");
    for (const frame of pending.frames()) send(frame);
    for (const sessionId of watched.keys()) want({ type: "watch", sessionId });
  }

  function closed(code: number) {
    socket = null;
    doubted = false;
    pending.connectionLost();
    if (code === CLOSE_NOT_PAIRED) {
      finish("not-paired");
      return;
    }
    if (code === CLOSE_PROTOCOL) {
      finish("outdated");
      return;
    }
    ports.onStatus("lost");
    clearTimeout(timer);
    timer = setTimeout(open, backoffMs(attempt++, Math.random()));
    // A browser does not say why an upgrade failed; a missing cookie is the one reason that waiting never cures.
    if (!welcomed) ports.isPaired().then((paired) => paired || finish("not-paired"), ignore);
    welcomed = false;
  }

  function finish(status: "not-paired" | "outdated") {
    stop();
    ports.onStatus(status);
  }

  function stop() {
    running = false;
    clearTimeout(timer);
    const last = socket;
    socket = null;
    last?.close();
  }

  /** Lets go of a socket without waiting for its closing handshake, which a dead network never finishes. */
  function drop(stale: WebSocket | null) {
    if (!stale || socket !== stale) return;
    stale.close();
    closed(1006);
  }

  /** A request that got no reply, or a question on waking: if nothing else came either, the socket is dead. */
  function dropIfSilent(suspect: WebSocket | null, silenceMs: number) {
    if (welcomed && Date.now() - heardAt >= silenceMs) drop(suspect);
  }

  function wake() {
    if (!running) return;
    attempt = 0;
    if (!socket) {
      open();
      return;
    }
    if (!welcomed || Date.now() - heardAt < TRUSTED_SILENCE_MS) return;
    // There is no ping in the protocol; a small harmless question serves.
    const suspect = socket;
    doubted = true;
    ports.onStatus("doubted");
    want({ type: "devices" });
    setTimeout(() => dropIfSilent(suspect, PROBE_MS), PROBE_MS);
  }

  /** A request nobody waits for: its failure shows in what follows from it. */
  function want(command: Command) {
    request(command).catch(ignore);
  }

  function request(command: Command): Promise<ReplyData> {
    // What may not be repeated may not be late either: it was meant for what was on the screen at the tap.
    if (!running || (!welcomed && !mayWait(command))) {
      return Promise.reject(new RequestFailed("not-sent", "Not connected: nothing was sent."));
    }
    const { frame, reply } = pending.add(command);
    if (welcomed && socket) send(frame);
    return reply;
  }

  return {
    start() {
      if (running) return;
      running = true;
      open();
    },
    stop,
    restart() {
      const last = socket;
      socket = null;
      last?.close();
      pending.connectionLost();
      open();
    },
    wake,
    networkLost: () => drop(socket),
    request,
    watch(sessionId) {
      watched.set(sessionId, (watched.get(sessionId) ?? 0) + 1);
      if (watched.get(sessionId) === 1 && welcomed) want({ type: "watch", sessionId });
      return () => {
        const left = (watched.get(sessionId) ?? 1) - 1;
        if (left > 0) return void watched.set(sessionId, left);
        watched.delete(sessionId);
        if (welcomed && socket) want({ type: "unwatch", sessionId });
      };
    },
  };
}

function parse(text: string): ServerMessage | null {
  try {
    return JSON.parse(text) as ServerMessage;
  } catch {
    console.warn("a frame that is not JSON was dropped");
    return null;
  }
}

function ignore() {
  // Deliberately nothing: see the callers.
}
