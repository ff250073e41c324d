/* Sending what waits: in order, once, and again after a lost reply with the same key. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RequestFailed, type FailureCode } from "@/lib/request-failed";
import type { Outgoing } from "@/state/outbox";
import { AGAIN_MS, sendOutbox } from "@/state/send-outbox";
import { createStore } from "@/state/store";
import type { State } from "@/state/state";
import { aSession, aState } from "@/testing/builders";
import type { Command, ReplyData } from "@/wire/protocol";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function anOutgoing(key: string, parts: Partial<Outgoing> = {}): Outgoing {
  return { key, sessionId: "s1", text: key, files: [], at: Date.now(), status: "waiting", ...parts };
}

/** A page whose server answers when the test says so. */
function open(parts: Partial<State>) {
  const store = createStore(aState({ sessions: { s1: aSession() }, ...parts }));
  const asked: { key: string; ok: () => void; fail: (code: FailureCode) => void }[] = [];
  sendOutbox(store, {
    request: (command: Command) =>
      new Promise<ReplyData>((resolve, reject) => {
        if (command.type !== "send-text") throw new Error("only messages");
        asked.push({
          key: command.idempotencyKey ?? "",
          ok: () => resolve({ type: "done" }),
          fail: (code) => reject(new RequestFailed(code, `because ${code}`)),
        });
      }),
  });
  const keys = () => asked.map(({ key }) => key);
  const settle = () => vi.advanceTimersByTimeAsync(0);
  return { store, asked, keys, settle };
}

const lost = { connection: { type: "lost", since: 1 } } as const;
const live = { type: "connection", connection: { type: "live" } } as const;

test("nothing goes out without a line; then all of it, in order, one after the other", async () => {
  const { store, asked, keys, settle } = open({ ...lost, outbox: [anOutgoing("a"), anOutgoing("b")] });
  expect(keys()).toEqual([]);
  store.dispatch(live);
  expect(keys()).toEqual(["a"]);
  asked[0]?.ok();
  await settle();
  expect(keys()).toEqual(["a", "b"]);
  asked[1]?.ok();
  await settle();
  expect(store.getState().outbox).toEqual([]);
});

test("a reply that got lost is asked for with the same key", async () => {
  const { store, asked, keys, settle } = open({ outbox: [anOutgoing("a"), anOutgoing("b")] });
  asked[0]?.fail("disconnected");
  await settle();
  // It may have arrived, and says so until the server has said what became of it.
  expect(store.getState().outbox[0]).toMatchObject({ key: "a", status: "waiting", unsure: true });
  await vi.advanceTimersByTimeAsync(AGAIN_MS);
  expect(keys()).toEqual(["a", "a"]);
  asked[1]?.fail("session-busy");
  await settle();
  expect(store.getState().outbox[0]?.unsure).toBeUndefined();
});

test("the first that is due is not put off by another", async () => {
  const { store, asked, keys, settle } = open({ outbox: [anOutgoing("a")] });
  asked[0]?.fail("timeout");
  await settle();
  const other = anOutgoing("b", { sessionId: "s2" });
  store.dispatch({ type: "outgoing-elsewhere", key: "b", outgoing: other });
  await vi.advanceTimersByTimeAsync(AGAIN_MS);
  expect(keys()).toEqual(["a", "a"]);
});

test("what a busy session does not take goes out as soon as the session changes", async () => {
  const { store, asked, keys, settle } = open({ outbox: [anOutgoing("a")] });
  asked[0]?.fail("session-busy");
  await settle();
  expect(store.getState().outbox[0]).toMatchObject({ status: "waiting", note: "because session-busy" });
  expect(keys()).toEqual(["a"]);
  const event = { type: "session", session: aSession({ stateSince: 2000 }) } as const;
  store.dispatch({ type: "event", seq: 11, event });
  expect(keys()).toEqual(["a", "a"]);
});

test("a refusal keeps back what was written after it", async () => {
  const { store, asked, keys, settle } = open({ outbox: [anOutgoing("a"), anOutgoing("b")] });
  asked[0]?.fail("dialog-open");
  await settle();
  expect(store.getState().outbox.map(({ status }) => status)).toEqual(["held", "waiting"]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(keys()).toEqual(["a"]);
  store.dispatch({ type: "outgoing-removed", key: "a" });
  expect(keys().sort()).toEqual(["a", "b"]);
});

test("what another tab wrote is left to it for a while", async () => {
  const { store, keys } = open({});
  store.dispatch({ type: "outgoing-elsewhere", key: "a", outgoing: anOutgoing("a") });
  expect(keys()).toEqual([]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(keys()).toEqual(["a"]);
});

test("sessions do not wait for each other", () => {
  const { keys } = open({ outbox: [anOutgoing("a"), anOutgoing("b", { sessionId: "s2" })] });
  expect(keys().sort()).toEqual(["a", "b"]);
});
