/* What a device remembers of the server's state, and when it forgets it. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { persist } from "@/state/persist";
import { initialState } from "@/state/state";
import { createStore } from "@/state/store";
import { aPrompt, aSession } from "@/testing/builders";
import type { PendingPrompt } from "@/wire/prompt";

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers({ now: 5_000 });
});
afterEach(() => {
  while (leave.length > 0) leave.pop()?.();
  vi.useRealTimers();
});

const leave: (() => void)[] = [];
const pending: PendingPrompt = { prompt: aPrompt() };

function aLivePage(prompts = [pending]) {
  const store = createStore(initialState());
  leave.push(persist(store));
  const welcome = { type: "welcome", protocol: 1, serverVersion: "1", epoch: "e", deviceId: "d" } as const;
  store.dispatch({ type: "welcome", welcome });
  const snapshot = { sessions: [aSession()], prompts, adapters: [] };
  store.dispatch({ type: "snapshot", seq: 1, snapshot });
  return store;
}

test("a page that is opened anew begins with it, and nothing is live yet", () => {
  aLivePage();
  vi.advanceTimersByTime(1_000);
  const opened = initialState();
  expect(opened).toMatchObject({
    connection: { type: "connecting" },
    sync: { type: "none" },
    loaded: true,
    knownAt: 5_000,
    prompts: [pending],
  });
  expect(Object.keys(opened.sessions)).toEqual(["s1"]);
});

test("sessions are written down when they rest, or the page is left", () => {
  const store = aLivePage();
  const named = (name: string) => {
    const event = { type: "session", session: aSession({ name }) } as const;
    const { sync } = store.getState();
    store.dispatch({ type: "event", seq: sync.type === "at" ? sync.seq + 1 : 0, event });
  };
  const known = () => initialState().sessions.s1?.name;
  named("one");
  expect(known()).toBe("shop-api");
  vi.advanceTimersByTime(1_000);
  expect(known()).toBe("one");
  named("two");
  dispatchEvent(new Event("pagehide"));
  expect(known()).toBe("two");
});

test("after a loss it is of the moment of the loss", () => {
  const store = aLivePage();
  vi.advanceTimersByTime(1_000);
  store.dispatch({ type: "connection", connection: { type: "lost", since: 7_000 } });
  vi.advanceTimersByTime(60_000);
  dispatchEvent(new Event("pagehide"));
  expect(initialState().knownAt).toBe(7_000);
});

test("what was only remembered does not become newer", () => {
  aLivePage();
  const store = createStore(initialState());
  leave.push(persist(store));
  leave.shift()?.();
  vi.advanceTimersByTime(60_000);
  store.dispatch({ type: "connection", connection: { type: "lost", since: 65_000 } });
  dispatchEvent(new Event("pagehide"));
  expect(initialState().knownAt).toBe(5_000);
});

test("with the pairing it is forgotten", () => {
  const store = aLivePage();
  vi.advanceTimersByTime(1_000);
  store.dispatch({ type: "connection", connection: { type: "not-paired" } });
  vi.advanceTimersByTime(1_000);
  dispatchEvent(new Event("pagehide"));
  expect(localStorage.getItem("answerback.known")).toBeNull();
});

test("a prompt with a huge change is left out, the session that asks is not", () => {
  const diff = [{ path: "a.rs", unified: "+x\n".repeat(20_000) }];
  aLivePage([{ prompt: aPrompt({ diff }) }]);
  vi.advanceTimersByTime(1_000);
  expect(initialState().prompts).toEqual([]);
  expect(Object.keys(initialState().sessions)).toEqual(["s1"]);
});

test("another protocol's is not understood", () => {
  localStorage.setItem("answerback.known", JSON.stringify({ protocol: 0, at: 1, sessions: [aSession()] }));
  expect(initialState().loaded).toBe(false);
  expect(initialState().sessions).toEqual({});
});
