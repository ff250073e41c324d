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

test.each([
  ["a replaced line", "-let limit = 10;\n+let limit = 250;", [["10"], ["250"]]],
  ["each of several", "-a = 1;\n-b = 2;\n+a = 3;\n+b = 4;", [["1"], ["2"], ["3"], ["4"]]],
  ["one that got company", "-run(one);\n+// Twice now.\n+run(two);", [["one"], [], ["two"]]],
  ["one that lost company", "-// Twice.\n-run(two);\n+run(one);", [[], ["two"], ["one"]]],
  ["lines with nothing in common", "-alpha beta\n+something else entirely", [[], []]],
  ["lines that are only added", "+a\n+b", [[], []]],
])("%s: marked where it differs", (_, unified, expected) => {
  const marked = parseUnifiedDiff(unified).map(({ text, marks }) =>
    marks.map(([from, to]) => text.slice(from, to)),
  );
  expect(marked).toEqual(expected);
});

test("the missing last newline is no line", () => {
  expect(parseUnifiedDiff("+a\n\\ No newline at end of file")).toHaveLength(1);
});

test("changes are counted", () => {
  expect(countChanges(parseUnifiedDiff("@@ -1 +1,2 @@\n-a\n+b\n+c"))).toEqual({ added: 2, removed: 1 });
});
