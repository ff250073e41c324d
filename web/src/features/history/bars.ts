/* A bar for each day of a span, also for days on which nothing was asked. Pure. */
import type { InsightGroup } from "@/wire/history";

export interface Bar {
  /** Such as `2026-11-18`, by the clock of this device. */
  day: string;
  prompts: number;
  byRule: number;
}

export function barsOf(groups: InsightGroup[], since: number, days: number): Bar[] {
  const known = new Map(groups.map(({ key, numbers }) => [key, numbers]));
  const first = new Date(since);
  return Array.from({ length: days }, (_, at) => {
    // By the calendar, not by adding hours: some days are longer.
    const date = new Date(first.getFullYear(), first.getMonth(), first.getDate() + at);
    const two = (value: number) => String(value).padStart(2, "0");
    const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
    const numbers = known.get(day);
    return { day, prompts: numbers?.prompts ?? 0, byRule: numbers?.byRule ?? 0 };
  });
}
