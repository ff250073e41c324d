import { expect, test } from "vitest";
import { backoffMs } from "@/lib/backoff";

test.each([
  [0, 1, 250],
  [0, 0, 125],
  [1, 1, 500],
  [3, 0.5, 1500],
  [6, 1, 15_000],
  [500, 1, 15_000],
])("attempt %i with chance %f waits %i ms", (attempt, chance, expected) => {
  expect(backoffMs(attempt, chance)).toBe(expected);
});
