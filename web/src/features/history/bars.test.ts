import { expect, test } from "vitest";
import { barsOf } from "@/features/history/bars";
import type { InsightGroup } from "@/wire/history";

function group(key: string, prompts: number, byRule: number): InsightGroup {
  return {
    key,
    name: key,
    numbers: { prompts, answered: prompts, byRule, refused: 0, notUnderstood: 0, failed: 0 },
  };
}

test("each day has a bar, also one without prompts and one outside has none", () => {
  const since = new Date(2026, 1, 27).getTime();
  const groups = [group("2026-02-28", 5, 2), group("2026-03-02", 9, 9)];
  expect(barsOf(groups, since, 3)).toEqual([
    { day: "2026-02-27", prompts: 0, byRule: 0 },
    { day: "2026-02-28", prompts: 5, byRule: 2 },
    { day: "2026-03-01", prompts: 0, byRule: 0 },
  ]);
});
