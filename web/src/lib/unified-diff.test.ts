import { expect, test } from "vitest";
import { countChanges, parseUnifiedDiff } from "@/lib/unified-diff";

test("lines are numbered on both sides, from where each hunk begins", () => {
  const lines = parseUnifiedDiff("@@ -3,3 +3,4 @@ fn login()\n a\n-b\n+c\n+d\n e\n@@ -20 +21 @@\n x\n");
  expect(lines.map(({ kind, text, oldNumber, newNumber }) => [kind, text, oldNumber, newNumber])).toEqual([
    ["gap", "fn login()", null, null],
    ["same", "a", 3, 3],
    ["removed", "b", 4, null],
    ["added", "c", null, 4],
    ["added", "d", null, 5],
    ["same", "e", 5, 6],
    ["gap", "", null, null],
    ["same", "x", 20, 21],
  ]);
});

test("a replaced line is marked where it differs", () => {
  const [before, after] = parseUnifiedDiff("-let limit = 10;\n+let limit = 250;");
  expect(before?.mark).toEqual([12, 13]);
  expect(after?.mark).toEqual([12, 14]);
});

test("lines with nothing in common carry no mark", () => {
  const lines = parseUnifiedDiff("-alpha beta\n+something else entirely");
  expect(lines.map(({ mark }) => mark)).toEqual([null, null]);
});

test("the missing last newline is no line", () => {
  expect(parseUnifiedDiff("+a\n\\ No newline at end of file")).toHaveLength(1);
});

test("changes are counted", () => {
  expect(countChanges(parseUnifiedDiff("@@ -1 +1,2 @@\n-a\n+b\n+c"))).toEqual({ added: 2, removed: 1 });
});
