import { expect, test } from "vitest";
import { complete, completionAt } from "@/lib/completion";

/** The caret is where the bar stands. */
function at(marked: string) {
  const caret = marked.indexOf("|");
  return completionAt(marked.replace("|", ""), caret);
}

test.each([
  ["/|", { kind: "command", query: "", from: 0, to: 1 }],
  ["/co|", { kind: "command", query: "co", from: 0, to: 3 }],
  ["/co|mpact now", { kind: "command", query: "co", from: 0, to: 8 }],
  ["/compact |", null],
  ["say /co|", null],
  ["look at @src/ma|", { kind: "file", query: "src/ma", from: 8, to: 15 }],
  ["@|", { kind: "file", query: "", from: 0, to: 1 }],
  ["one\n@ma|in.rs two", { kind: "file", query: "ma", from: 4, to: 12 }],
  ["me@home|", null],
  ["|@main", null],
  ["@main |", null],
])("%s", (marked, completion) => {
  expect(at(marked)).toEqual(completion);
});

test("the chosen one takes the place of what was typed of it", () => {
  expect(complete("/co", { kind: "command", query: "co", from: 0, to: 3 }, "compact")).toEqual({
    text: "/compact ",
    caret: 9,
  });
  expect(complete("see @ma now", { kind: "file", query: "ma", from: 4, to: 7 }, "src/main.rs")).toEqual({
    text: "see @src/main.rs now",
    caret: 17,
  });
});
