import { expect, test } from "vitest";
import { bySession } from "@/features/search/by-session";
import type { SearchHit } from "@/wire/protocol";

const hit = (sessionId: string, messageId: string, at: number): SearchHit => ({
  sessionId,
  messageId,
  at,
  role: "user",
  snippet: [],
});

test("hits are put together by session, the newest first", () => {
  const groups = bySession([hit("a", "1", 5), hit("b", "2", 9), hit("a", "3", 4)]);
  expect(groups.map(({ sessionId, hits }) => [sessionId, hits.map(({ messageId }) => messageId)])).toEqual([
    ["b", ["2"]],
    ["a", ["1", "3"]],
  ]);
});
