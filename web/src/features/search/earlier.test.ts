import { expect, test } from "vitest";
import { earlierOf } from "@/features/search/earlier";
import { aSession } from "@/testing/builders";
import type { ConversationInfo } from "@/wire/session";

const ended = { type: "ended", reason: { type: "exited", status: 0 } } as const;
const sessions = [
  aSession({ id: "running", conversation: "c1" }),
  aSession({ id: "over", name: "shop", state: ended, stateSince: 50, conversation: "c2", mode: "plan" }),
  aSession({ id: "shell", name: "shell", adapter: "generic", state: ended, stateSince: 70 }),
];

function aConversation(id: string, parts: Partial<ConversationInfo> = {}): ConversationInfo {
  return {
    adapter: "codex",
    id,
    title: `about ${id}`,
    folder: "/srv/docs",
    updatedAt: 60,
    size: 5000,
    ...parts,
  };
}

const conversations = [
  aConversation("c1"),
  aConversation("c2"),
  aConversation("c3", { messages: 1 }),
  aConversation("c4", { folder: undefined, updatedAt: 10 }),
];

test("everything once, newest first", () => {
  const earlier = earlierOf(sessions, conversations, "");
  expect(earlier.map(({ key, detail }) => [key, detail])).toEqual([
    ["shell", "finished"],
    ["codex c3", "1 message"],
    ["over", "finished"],
    ["codex c4", "5 kB"],
  ]);
});

test("what can be gone on with says how", () => {
  const [shell, c3, over, c4] = earlierOf(sessions, conversations, "");
  expect(shell?.resumed).toBeUndefined();
  expect(c3?.resumed).toEqual({ adapter: "codex", folder: "/srv/docs", conversation: "c3" });
  expect(over?.resumed).toMatchObject({ conversation: "c2", name: "shop", mode: "plan" });
  expect(c4?.resumed).toBeUndefined();
});

test.each([
  ["docs", ["codex c3"]],
  ["ABOUT c4", ["codex c4"]],
  ["shop", ["over", "shell"]],
  ["nothing", []],
])("%j finds by title and folder", (query, keys) => {
  expect(
    earlierOf(sessions, conversations, query)
      .map(({ key }) => key)
      .sort(),
  ).toEqual(keys);
});
