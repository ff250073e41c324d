import { expect, test } from "vitest";
import { linesIn, nextRange, sum } from "@/features/chat/row-window";

const ten = Array.from({ length: 10 }, () => 100);
const many = Array.from({ length: 1000 }, () => 100);

test.each([
  ["the first", { top: 0, bottom: 50 }, { from: 0, to: 1 }],
  ["those that touch it", { top: 150, bottom: 350 }, { from: 1, to: 4 }],
  ["not those that end where it begins", { top: 200, bottom: 300 }, { from: 2, to: 3 }],
  ["the last", { top: 900, bottom: 5000 }, { from: 9, to: 10 }],
  ["below everything, still the last", { top: 5000, bottom: 6000 }, { from: 9, to: 10 }],
  ["above everything, still the first", { top: -900, bottom: -100 }, { from: 0, to: 1 }],
])("lines in a stretch: %s", (_, stretch, range) => {
  expect(linesIn(ten, stretch)).toEqual(range);
});

test("an empty list has no lines", () => {
  expect(linesIn([], { top: 0, bottom: 100 })).toEqual({ from: 0, to: 0 });
});

test("a small step changes nothing, a larger one moves on", () => {
  const seen = { top: 50_000, bottom: 50_800 };
  const range = nextRange(many, seen, { from: 0, to: 10 });
  expect(range).toEqual({ from: 492, to: 516 });
  expect(nextRange(many, { top: 50_400, bottom: 51_200 }, range)).toBe(range);
  expect(nextRange(many, { top: 51_000, bottom: 51_800 }, range)).toEqual({ from: 502, to: 526 });
});

test("at the ends there is no more to put in", () => {
  const range = nextRange(many, { top: 0, bottom: 800 }, { from: 0, to: 0 });
  expect(range).toEqual({ from: 0, to: 16 });
  expect(nextRange(many, { top: 100, bottom: 900 }, range)).toBe(range);
});

test("heights are summed", () => {
  expect(sum([1, 2, 3, 4], 1, 3)).toBe(5);
});
