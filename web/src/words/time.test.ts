import { expect, test } from "vitest";
import { ago, clock, duration } from "@/words/time";

test.each([
  [-5, "0:00"],
  [41_000, "0:41"],
  [723_000, "12:03"],
  [3_727_000, "1:02:07"],
])("clock(%i) is %s", (ms, words) => expect(clock(ms)).toBe(words));

test.each([
  [34_000, "34s"],
  [184_000, "3m 04s"],
  [7_860_000, "2h 11m"],
])("duration(%i) is %s", (ms, words) => expect(duration(ms)).toBe(words));

test.each([
  [10_000, "just now"],
  [50_000, "1 min ago"],
  [300_000, "5 min ago"],
  [3 * 3_600_000, "3 h ago"],
  [26 * 3_600_000, "yesterday"],
  [49 * 3_600_000, "2 days ago"],
])("%i ms are %s", (ms, words) => expect(ago(0, ms)).toBe(words));
