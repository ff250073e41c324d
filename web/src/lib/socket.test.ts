/* The life of the connection, with a server made of a few lines and a clock that is turned by hand. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { REQUEST_TIMEOUT_MS } from "@/lib/pending-requests";
import { createSocket, type SocketPorts, type SocketStatus } from "@/lib/socket";
import { FakeWebSocket } from "@/testing/fake-web-socket";
import type { Command, ServerMessage } from "@/wire/protocol";
import { PROTOCOL_VERSION } from "@/wire/version";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start(ports: Partial<SocketPorts> = {}) {
  const sockets: FakeWebSocket[] = [];
  const statuses: SocketStatus[] = [];
  const messages: ServerMessage[] = [];
  const socket = createSocket({
    openLine() {
      const created = new FakeWebSocket();
      sockets.push(created);
      return { socket: created as unknown as WebSocket, heard: [] };
    },
    resumePoint: () => null,
    prove: (nonce) => `proof of ${nonce}`,
    onMessage: (message) => messages.push(message),
    onStatus: (status) => statuses.push(status),
    isPaired: () => Promise.resolve(true),
    ...ports,
  });
  socket.start();
  const last = () => sockets.at(-1) ?? expect.fail("no socket was opened");
  const commands = () => last().sent.flatMap((frame) => (frame.type === "request" ? [frame.command] : []));
  return { socket, sockets, statuses, messages, last, commands };
}

const respond: Command = { type: "respond", response: { requestId: "p1", idempotencyKey: "k1" } };
const ok = (id: number): ServerMessage => ({
  type: "reply",
  id,
  result: { type: "ok", data: { type: "done" } },
});

test("it answers the challenge with hello, and again with what it has seen", () => {
  let seen: { epoch: string; lastSeq: number } | null = null;
  const { last } = start({ resumePoint: () => seen });
  last().onopen?.();
  expect(last().sent).toEqual([]);
  last().say({ type: "challenge", nonce: "n1" });
  expect(last().sent).toEqual([{ type: "hello", protocol: PROTOCOL_VERSION, proof: "proof of n1" }]);
  seen = { epoch: "e1", lastSeq: 7 };
  last().drop();
  vi.advanceTimersByTime(300);
  last().onopen?.();
  last().say({ type: "challenge", nonce: "n2" });
  expect(last().sent).toEqual([
    { type: "hello", protocol: PROTOCOL_VERSION, epoch: "e1", lastSeq: 7, proof: "proof of n2" },
  ]);
});

test("what was said before anybody listened is taken over, and no second hello is said", () => {
  const early = new FakeWebSocket();
  const welcome: ServerMessage = {
    type: "welcome",
    protocol: PROTOCOL_VERSION,
    serverVersion: "1",
    epoch: "e1",
    deviceId: "d1",
  };
  const { messages, statuses } = start({
    openLine: () => ({ socket: early as unknown as WebSocket, heard: [JSON.stringify(welcome)] }),
  });
  expect(messages).toEqual([welcome]);
  expect(statuses).toEqual(["connecting", "open"]);
  expect(early.sent).toEqual([]);
  early.drop();
  expect(statuses.at(-1)).toBe("lost");
});

test("a request gets its reply, or the server's refusal", async () => {
  const { socket, last } = start();
  last().welcome();
  const done = socket.request({ type: "devices" });
  const refused = socket.request({ type: "pair" });
  last().say(ok(1));
  last().say({
    type: "reply",
    id: 2,
    result: { type: "refused", error: { code: "rate-limited", message: "wait a little" } },
  });
  await expect(done).resolves.toEqual({ type: "done" });
  await expect(refused).rejects.toMatchObject({ code: "rate-limited", message: "wait a little" });
});

test("a request made before the welcome waits for it", () => {
  const { socket, last, commands } = start();
  void socket.request(respond);
  expect(commands()).toEqual([]);
  last().welcome();
  expect(commands()).toEqual([respond]);
});

test.each<Command>([
  { type: "send-keys", sessionId: "s1", keys: [{ type: "text", text: "1" }] },
  { type: "interrupt", sessionId: "s1" },
  { type: "end", sessionId: "s1" },
  { type: "set-mode", sessionId: "s1", mode: "plan" },
  { type: "start", start: { adapter: "demo", folder: "~" } },
])("$type is refused at once while there is no connection, and never goes out later", async (command) => {
  const { socket, last, commands } = start();
  last().welcome();
  last().drop();
  await expect(socket.request(command)).rejects.toMatchObject({ code: "not-sent" });
  vi.advanceTimersByTime(300);
  await expect(socket.request(command)).rejects.toMatchObject({ code: "not-sent" });
  last().welcome();
  expect(commands()).toEqual([]);
});

test("a start with a key waits for the connection and is sent once more after a loss", () => {
  const { socket, last, commands } = start();
  const command: Command = { type: "start", start: { adapter: "demo", folder: "~", idempotencyKey: "k" } };
  last().welcome();
  void socket.request(command);
  last().drop();
  vi.advanceTimersByTime(300);
  last().welcome();
  expect(commands()).toEqual([command]);
});

test("an answer without reply is sent again with the same key; what could act twice is not", async () => {
  const { socket, last, commands } = start();
  last().welcome();
  const answered = socket.request(respond);
  const ended = socket.request({ type: "end", sessionId: "s1" });
  last().drop();
  await expect(ended).rejects.toMatchObject({ code: "disconnected" });
  vi.advanceTimersByTime(300);
  last().welcome();
  expect(commands()).toEqual([respond]);
  last().say(ok(1));
  await expect(answered).resolves.toEqual({ type: "done" });
});

test("no reply in time is a failure, and a silent socket is given up", async () => {
  const { socket, sockets, last } = start();
  last().welcome();
  const reply = expect(socket.request({ type: "pair" })).rejects.toMatchObject({ code: "timeout" });
  await vi.advanceTimersByTimeAsync(REQUEST_TIMEOUT_MS);
  await reply;
  expect(sockets[0]?.closed).toBe(true);
  vi.advanceTimersByTime(300);
  expect(sockets).toHaveLength(2);
});

test("the pauses between attempts grow, and waking ends them", () => {
  const { socket, sockets, last } = start();
  for (let attempt = 0; attempt < 8; attempt++) {
    last().drop();
    vi.advanceTimersByTime(15_000);
  }
  const before = sockets.length;
  last().drop();
  vi.advanceTimersByTime(1_000);
  expect(sockets).toHaveLength(before);
  socket.wake();
  expect(sockets).toHaveLength(before + 1);
});

test("an attempt that hangs is dropped", () => {
  const { sockets } = start();
  vi.advanceTimersByTime(8_300);
  expect(sockets[0]?.closed).toBe(true);
  expect(sockets.length).toBeGreaterThan(1);
});

test("on waking a socket that was long silent has to speak, or is replaced", () => {
  const { socket, sockets, last, commands } = start();
  last().welcome();
  socket.wake();
  expect(commands()).toEqual([]);
  vi.advanceTimersByTime(60_000);
  socket.wake();
  expect(commands()).toEqual([{ type: "devices" }]);
  vi.advanceTimersByTime(4_300);
  expect(sockets).toHaveLength(2);
});

test.each([
  [4401, "not-paired"],
  [4406, "outdated"],
] as const)("close code %i ends it: %s", (code, status) => {
  const { sockets, statuses, last } = start();
  last().welcome();
  last().drop(code);
  vi.advanceTimersByTime(60_000);
  expect(statuses.at(-1)).toBe(status);
  expect(sockets).toHaveLength(1);
});

test("a server of another protocol is not listened to", () => {
  const { statuses, messages, last } = start();
  last().say({
    type: "welcome",
    protocol: PROTOCOL_VERSION + 1,
    serverVersion: "9",
    epoch: "e",
    deviceId: "d",
  });
  expect(statuses.at(-1)).toBe("outdated");
  expect(messages).toEqual([]);
});

test("a socket that never opens may mean that the device is not paired", async () => {
  const { statuses, last } = start({ isPaired: () => Promise.resolve(false) });
  last().drop();
  await vi.advanceTimersByTimeAsync(0);
  expect(statuses.at(-1)).toBe("not-paired");
});

test("without a key the challenge cannot be answered: the device is not paired", () => {
  const { statuses, last } = start({ prove: () => null });
  last().say({ type: "challenge", nonce: "n1" });
  expect(last().sent).toEqual([]);
  expect(statuses.at(-1)).toBe("not-paired");
});

test("screens are watched once, however many ask, and again after a reconnect", () => {
  const { socket, last, commands } = start();
  last().welcome();
  const one = socket.watch("s1");
  const two = socket.watch("s1");
  one();
  expect(commands()).toEqual([{ type: "watch", sessionId: "s1" }]);
  last().drop();
  vi.advanceTimersByTime(300);
  last().welcome();
  expect(commands()).toEqual([{ type: "watch", sessionId: "s1" }]);
  two();
  expect(commands()).toEqual([
    { type: "watch", sessionId: "s1" },
    { type: "unwatch", sessionId: "s1" },
  ]);
});

test("a restart opens anew at once and forgets the old socket", () => {
  const { socket, sockets, messages, last } = start();
  last().welcome();
  const [old] = sockets;
  socket.restart();
  expect(sockets).toHaveLength(2);
  const heard = messages.length;
  old?.say({ type: "error", error: { code: "internal", message: "late" } });
  old?.drop();
  expect(messages).toHaveLength(heard);
  expect(sockets).toHaveLength(2);
});

test("what is not JSON is dropped", () => {
  vi.spyOn(console, "warn").mockReturnValue();
  const { messages, last } = start();
  last().onmessage?.({ data: "<html>" });
  expect(messages).toEqual([]);
});

test("when the device loses its network the connection is over at once, and waking dials again", () => {
  const { socket, sockets, statuses, last } = start();
  last().welcome();
  socket.networkLost();
  expect(statuses.at(-1)).toBe("lost");
  expect(last().closed).toBe(true);
  socket.wake();
  expect(sockets).toHaveLength(2);
});

test("on waking a silent connection is doubted, and trusted again with the first word", () => {
  const { socket, statuses, last } = start();
  last().welcome();
  vi.advanceTimersByTime(11_000);
  socket.wake();
  expect(statuses.at(-1)).toBe("doubted");
  last().say(ok(1));
  expect(statuses.at(-1)).toBe("trusted");
});
