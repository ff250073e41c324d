/* The socket joined to the store: what a gap, a waking phone and a chosen theme bring about. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeWebSocket } from "@/testing/fake-web-socket";
import { keepKey } from "@/lib/credential";
import { aState } from "@/testing/builders";
import { createStore } from "@/state/store";

const sockets: FakeWebSocket[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  keepKey("k1");
  sockets.length = 0;
  vi.stubGlobal(
    "WebSocket",
    class extends FakeWebSocket {
      static OPEN = 1;
      readyState = 1;
      constructor() {
        super();
        sockets.push(this);
      }
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function open() {
  const { connect } = await import("@/app/connect");
  const store = createStore(aState({ connection: { type: "connecting" }, sync: { type: "none" } }));
  const socket = connect(store);
  socket.start();
  return { store, socket };
}

/** A server that leaves an event out every time. */
function gap() {
  const last = sockets.at(-1);
  last?.welcome();
  last?.say({ type: "snapshot", seq: 1, snapshot: { sessions: [], prompts: [], adapters: [] } });
  last?.say({ type: "event", seq: 5, event: { type: "adapters", adapters: [] } });
}

test("a server that numbers wrongly is not dialled in a loop", async () => {
  const { socket } = await open();
  const before = sockets.length;
  gap();
  vi.advanceTimersByTime(1);
  expect(sockets).toHaveLength(before + 1);
  for (let times = 0; times < 5; times++) {
    gap();
    vi.advanceTimersByTime(1);
  }
  expect(sockets).toHaveLength(before + 1);
  vi.advanceTimersByTime(60_000);
  expect(sockets.length).toBeGreaterThan(before + 1);
  socket.stop();
});

test("after a sleep it says that it is checking, until the first word", async () => {
  const { store, socket } = await open();
  sockets.at(-1)?.welcome();
  sockets.at(-1)?.say({ type: "snapshot", seq: 1, snapshot: { sessions: [], prompts: [], adapters: [] } });
  vi.advanceTimersByTime(11_000);
  dispatchEvent(new Event("online"));
  expect(store.getState().connection).toEqual({ type: "checking" });
  sockets.at(-1)?.say({ type: "event", seq: 2, event: { type: "adapters", adapters: [] } });
  expect(store.getState().connection).toEqual({ type: "live" });
  socket.stop();
});

test("the status bar takes the colour of the chosen theme", async () => {
  const { followTheme } = await import("@/app/follow-theme");
  document.head.innerHTML = `
    <meta name="theme-color" media="(prefers-color-scheme: light)" content="#f7f7f4" />
    <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0e1013" />`;
  const colours = () =>
    [...document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")].map(({ content }) => content);
  const store = createStore(aState());
  followTheme(store);
  expect(colours()).toEqual(["#f7f7f4", "#0e1013"]);
  store.dispatch({ type: "preferences", preferences: { theme: "dark" } });
  expect(colours()).toEqual(["#0e1013", "#0e1013"]);
  store.dispatch({ type: "preferences", preferences: { theme: "system" } });
  expect(colours()).toEqual(["#f7f7f4", "#0e1013"]);
  document.head.innerHTML = "";
});
