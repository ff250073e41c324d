import { expect, test } from "vitest";
import { agentsAbove, rowsOf, type Row } from "@/features/chat/rows";
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
const outline = (rows: Row[]) =>
  rows.map((row) => {
    const words = row.type === "agent" ? `${row.name ?? "?"}: ${row.steps}` : row.message.id;
    return "  ".repeat(row.depth) + words;
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
