import { expect, test } from "vitest";
import { wordMarks, type Mark } from "@/lib/word-marks";

/** The line with its marks in brackets. */
function shown(line: string, marks: readonly Mark[]): string {
  return [...marks]
    .reverse()
    .reduce((text, [from, to]) => `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`, line);
}

test.each([
  ["a number", "let limit = 10;", "let limit = 250;", "let limit = [10];", "let limit = [250];"],
  [
    "two places",
    "fn add(a: u8) -> u8 {",
    "fn add(a: u32) -> u32 {",
    "fn add(a: [u8]) -> [u8] {",
    "fn add(a: [u32]) -> [u32] {",
  ],
  ["whole words", "return total;", "return totals;", "return [total];", "return [totals];"],
  ["something new", "call(one);", "call(one, two);", "call(one);", "call(one[, two]);"],
  ["something gone", "call(one, two);", "call(one);", "call(one[, two]);", "call(one);"],
  [
    "words beside each other",
    "the quick brown fox jumps",
    "the slow red fox jumps",
    "the [quick brown] fox jumps",
    "the [slow red] fox jumps",
  ],
  ["the indent", "  run();", "    run();", "[  ]run();", "[    ]run();"],
  [
    "letters of all scripts",
    "Größe: klein, Straße",
    "Größe: groß, Straße",
    "Größe: [klein], Straße",
    "Größe: [groß], Straße",
  ],
  ["signs outside the plane", "state 🙂 here", "state 🙃 here", "state [🙂] here", "state [🙃] here"],
  ["nothing", "same", "same", "same", "same"],
])("%s", (_, before, after, oldShown, newShown) => {
  const marks = wordMarks(before, after);
  expect(marks && [shown(before, marks.before), shown(after, marks.after)]).toEqual([oldShown, newShown]);
});

test.each([
  ["alpha beta", "something else entirely"],
  ["", "new"],
  ["    ", "    x"],
])("%j and %j are not the same line", (before, after) => {
  expect(wordMarks(before, after)).toBeNull();
});

test("a line of thousands of words is marked in one piece", () => {
  const line = (word: string) => `begin ${`${word} x `.repeat(2_000)}end`;
  const marks = wordMarks(`${"same ".repeat(5_000)}${line("a")}`, `${"same ".repeat(5_000)}${line("b")}`);
  expect(marks?.before).toHaveLength(1);
  expect(marks?.after).toHaveLength(1);
});
