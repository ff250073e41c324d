import { expect, test } from "vitest";
import { agentsAbove, rowsOf, withReviews, type Row } from "@/features/chat/rows";
import { aMessage } from "@/testing/builders";
import type { Message } from "@/wire/message";

function aCall(id: string, agent: string, by?: string): Message {
  const message = aMessage(id, {
    type: "tool",
    name: "Agent",
    summary: "look around",
    input: null,
    purpose: { type: "agent", agent: "Explore", task: "look around" },
    result: { ok: true, output: "", agent },
  });
  return by === undefined ? message : { ...message, agent: by };
}

const by = (agent: string, id: string): Message => ({ ...aMessage(id), agent });
function wordsOf(row: Row): string {
  if (row.type === "review") return row.key;
  return row.type === "agent" ? `${row.name ?? "?"}: ${row.steps}` : row.message.id;
}

const outline = (rows: Row[]) =>
  rows.map((row) => {
    return "  ".repeat(row.depth) + wordsOf(row);
  });

test("without agents every message is a line", () => {
  expect(outline(rowsOf([aMessage("a"), aMessage("b")], new Set()))).toEqual(["a", "b"]);
});

// The agent works in the background while the conversation goes on.
const mixed = [aMessage("a"), aCall("call", "x"), by("x", "x1"), aMessage("b"), by("x", "x2")];

test("what an agent does is folded below its call", () => {
  expect(outline(rowsOf(mixed, new Set()))).toEqual(["a", "call", "  Explore: 2", "b"]);
});

test("unfolded, it stands there in order", () => {
  expect(outline(rowsOf(mixed, new Set(["x"])))).toEqual(["a", "call", "  Explore: 2", "  x1", "  x2", "b"]);
});

test("an agent of an agent is folded into it", () => {
  const deep = [aCall("call", "x"), aCall("inner", "y", "x"), by("y", "y1"), by("x", "x1")];
  expect(outline(rowsOf(deep, new Set()))).toEqual(["call", "  Explore: 2"]);
  expect(outline(rowsOf(deep, new Set(["x", "y"])))).toEqual([
    "call",
    "  Explore: 2",
    "  inner",
    "    Explore: 1",
    "    y1",
    "  x1",
  ]);
  expect(agentsAbove(deep, "y1")).toEqual(["y", "x"]);
  expect(agentsAbove(deep, "call")).toEqual([]);
});

test("an agent whose call is not loaded stands where it began", () => {
  expect(outline(rowsOf([aMessage("a"), by("x", "x1"), by("x", "x2"), aMessage("b")], new Set()))).toEqual([
    "a",
    "  ?: 2",
    "b",
  ]);
});

test("an agent that seems to have called itself is not lost in a circle", () => {
  const circle = [aCall("a", "x", "x")];
  expect(outline(rowsOf(circle, new Set(["x"])))).toEqual(["  ?: 1", "  a"]);
  expect(agentsAbove(circle, "a")).toEqual(["x"]);
});

const review = (id: string, createdAt: number) => ({ id, reviewer: "s2", subject: "Plan", createdAt });

test("a review stands behind what was said before it", () => {
  const rows = rowsOf([aMessage("a", "a", 1), aMessage("b", "b", 5)], new Set());
  const placed = withReviews(rows, [review("late", 9), review("early", 3)], true);
  expect(outline(placed)).toEqual(["a", "review early", "b", "review late"]);
});

test("a review stands behind the steps of an unfolded agent, not among them", () => {
  const rows = rowsOf([aCall("call", "x"), by("x", "x1"), aMessage("b", "b", 5)], new Set(["x"]));
  const placed = outline(withReviews(rows, [review("r", 3)], true));
  expect(placed.at(-2)).toBe("review r");
  expect(placed.at(-1)).toBe("b");
});

test("a review of what is not loaded is not shown yet", () => {
  const rows = rowsOf([aMessage("b", "b", 5)], new Set());
  expect(outline(withReviews(rows, [review("r", 3)], false))).toEqual(["b"]);
  expect(outline(withReviews(rows, [review("r", 3)], true))).toEqual(["review r", "b"]);
  expect(withReviews([], [review("r", 3)], true)).toEqual([]);
});
