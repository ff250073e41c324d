import { expect, test } from "vitest";
import { sortSessions } from "@/features/home/session-order";
import { aSession } from "@/testing/builders";

const ended = { type: "ended", reason: { type: "killed" } } as const;
const sessions = [
  aSession({ id: "old", createdAt: 9, stateSince: 1, name: "api" }),
  aSession({ id: "new", createdAt: 2, stateSince: 2, name: "docs", adapter: "gemini" }),
  aSession({ id: "gone", state: ended, stateSince: 5 }),
  aSession({ id: "gone later", state: ended, stateSince: 9 }),
];

test.each([
  ["", ["new", "old"], ["gone later", "gone"]],
  ["gemini", ["new"], []],
  ["GEM docs", ["new"], []],
  ["nothing", [], []],
])("searching %j", (search, running, earlier) => {
  const lists = sortSessions(sessions, search);
  expect(lists.running.map(({ id }) => id)).toEqual(running);
  expect(lists.earlier.map(({ id }) => id)).toEqual(earlier);
});

test("a session that waits for the person is on its card and not on the list as well", () => {
  const sessions = [aSession({ id: "s1" }), aSession({ id: "s2" })];
  const { running } = sortSessions(sessions, "", new Set(["s1"]));
  expect(running.map(({ id }) => id)).toEqual(["s2"]);
});
