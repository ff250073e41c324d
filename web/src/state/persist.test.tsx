/* Two tabs of one device: what one writes the other shows, and neither takes anything from the other. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Outgoing } from "@/state/outbox";
import { persist } from "@/state/persist";
import { initialState } from "@/state/state";
import { createStore } from "@/state/store";

beforeEach(() => localStorage.clear());
afterEach(() => {
  for (const close of open.splice(0)) close();
});

const open: (() => void)[] = [];

function aTab() {
  const store = createStore(initialState());
  open.push(persist(store));
  return store;
}

/** What the browser tells every other tab after a write. */
function toldTo(key: string) {
  const newValue = localStorage.getItem(key);
  dispatchEvent(new StorageEvent("storage", { key, newValue, storageArea: localStorage }));
}

const outgoing: Outgoing = { key: "k1", sessionId: "s1", text: "hello", files: [], at: 1, status: "waiting" };

test("drafts of two tabs do not overwrite each other", () => {
  const [one, other] = [aTab(), aTab()];
  one.dispatch({ type: "draft", sessionId: "s1", text: "from one" });
  other.dispatch({ type: "draft", sessionId: "s2", text: "from the other" });
  expect(initialState().drafts).toEqual({ s1: "from one", s2: "from the other" });
  one.dispatch({ type: "draft", sessionId: "s1", text: "" });
  expect(initialState().drafts).toEqual({ s2: "from the other" });
});

test("both tabs show the same draft", () => {
  const [one, other] = [aTab(), aTab()];
  one.dispatch({ type: "draft", sessionId: "s1", text: "hello" });
  toldTo("answerback.draft.s1");
  expect(other.getState().drafts).toEqual({ s1: "hello" });
  one.dispatch({ type: "draft", sessionId: "s1", text: "" });
  toldTo("answerback.draft.s1");
  expect(other.getState().drafts).toEqual({});
});

test("the outbox survives a reload; what was under way then waits again", () => {
  const store = aTab();
  store.dispatch({ type: "enqueued", outgoing, from: "composer" });
  store.dispatch({ type: "outgoing", key: "k1", change: { status: "sending" } });
  // It may have arrived.
  expect(initialState().outbox).toEqual([{ ...outgoing, unsure: true }]);
  store.dispatch({ type: "outgoing", key: "k1", change: { status: "held", note: "why" } });
  expect(initialState().outbox).toEqual([{ ...outgoing, status: "held", note: "why" }]);
  store.dispatch({ type: "outgoing-removed", key: "k1" });
  expect(initialState().outbox).toEqual([]);
});

test("a message sent in one tab is gone in the other", () => {
  const [one, other] = [aTab(), aTab()];
  one.dispatch({ type: "enqueued", outgoing, from: "composer" });
  toldTo("answerback.outbox.k1");
  expect(other.getState().outbox).toEqual([{ ...outgoing, elsewhere: true }]);
  one.dispatch({ type: "outgoing-removed", key: "k1" });
  toldTo("answerback.outbox.k1");
  expect(other.getState().outbox).toEqual([]);
});

test("preferences and what was read are the same everywhere", () => {
  const [one, other] = [aTab(), aTab()];
  one.dispatch({ type: "preferences", preferences: { theme: "dark" } });
  toldTo("answerback.preferences");
  expect(other.getState().preferences.theme).toBe("dark");
});

test("a device that is locked out keeps nothing of what was written on it", () => {
  const store = aTab();
  store.dispatch({ type: "draft", sessionId: "s1", text: "half" });
  store.dispatch({ type: "enqueued", outgoing, from: "elsewhere" });
  localStorage.setItem("answerback.new-session", '{"folder":"/home/me"}');
  store.dispatch({ type: "connection", connection: { type: "not-paired" } });
  expect(Object.keys(localStorage)).toEqual([]);
});
