import { expect, test } from "vitest";
import { answerTo, changeOf, toolLine, type ToolBody } from "@/words/tool-words";

const tool = (parts: Partial<ToolBody>): ToolBody => ({
  type: "tool",
  name: "Tool",
  summary: "what for",
  input: null,
  ...parts,
});
const diff = [{ path: "a.rs", unified: "@@ -1 +1 @@\n-a\n+b" }];

test.each<[Partial<ToolBody>, string, string]>([
  [{ purpose: { type: "command", command: "ls" } }, "$", "ls"],
  [{ input: { command: "ls" } }, "$", "ls"],
  [{ purpose: { type: "edit", diff } }, "Edit", "a.rs"],
  [{ purpose: { type: "read", path: "a.rs" } }, "Read", "a.rs"],
  [{ purpose: { type: "search", query: "fn", place: "src" } }, "Search", "fn in src"],
  [{ purpose: { type: "search", query: "fn" } }, "Search", "fn"],
  [{ purpose: { type: "web", target: "https://a.example" } }, "Web", "https://a.example"],
  [{ purpose: { type: "todos", items: [] } }, "To do", "what for"],
  [{ purpose: { type: "agent", agent: "Explore", task: "look" } }, "Explore", "what for"],
  [{ purpose: { type: "agent", task: "look" }, summary: "" }, "Agent", "look"],
  [{ purpose: { type: "plan", plan: "# Plan" }, summary: "# Plan" }, "Plan", "Plan"],
  [{}, "Tool", "what for"],
])("a card's line for %j", (parts, label, words) => {
  expect(toolLine(tool(parts))).toEqual({ label, words });
});

test("a question's line is its answer once there is one", () => {
  const purpose = { type: "questions" as const, questions: [{ question: "Which?", options: ["a", "b"] }] };
  expect(toolLine(tool({ purpose })).words).toBe("what for");
  const answers = [{ question: "db", answer: "a" }];
  const body = tool({ purpose, result: { ok: true, output: "", answers } });
  expect(toolLine(body).words).toBe("a");
  expect(answerTo(body, "Which?", 0)).toBe("a");
});

test("the change that was made counts more than the one that was wanted", () => {
  const purpose = { type: "edit" as const, diff };
  const made = [{ path: "b.rs", unified: "" }];
  expect(changeOf(tool({ purpose }))).toBe(diff);
  expect(changeOf(tool({ purpose, result: { ok: true, output: "", diff: made } }))).toBe(made);
});

test("a path below the session's folder is told without it", () => {
  const read = (path: string) => toolLine(tool({ purpose: { type: "read", path } }), "/srv/shop").words;
  expect(read("/srv/shop/src/a.rs")).toBe("src/a.rs");
  expect(read("/srv/shopping/a.rs")).toBe("/srv/shopping/a.rs");
  expect(read("a.rs")).toBe("a.rs");
});
