/*
 * Which lines of the list are in the page: those that can be seen and some on both sides. The rest is empty space of
 * the height that they have, or are guessed to have until they were there once. Pure.
 */
import type { Row } from "@/features/chat/rows";

/** Lines in the page: from one up to, but without, another. */
export interface Range {
  from: number;
  to: number;
}

/** A stretch of the list, in pixels from its top. */
export interface Stretch {
  top: number;
  bottom: number;
}

/** What is put into the page beyond what is seen, so that it is there when the thumb arrives. */
const AHEAD_PX = 800;
/** When less than this is left, more is put in. */
const LEAST_PX = 300;

/** The lines that touch a stretch; at least one, where there are any. */
export function linesIn(heights: readonly number[], { top, bottom }: Stretch): Range {
  let from = 0;
  let y = 0;
  while (from < heights.length - 1 && y + (heights[from] ?? 0) <= top) y += heights[from++] ?? 0;
  let to = from;
  while (to < heights.length && (y < bottom || to === from)) y += heights[to++] ?? 0;
  return { from, to };
}

/** The lines that should be in the page: the present ones as long as they reach far enough. */
export function nextRange(heights: readonly number[], seen: Stretch, present: Range): Range {
  const least = linesIn(heights, { top: seen.top - LEAST_PX, bottom: seen.bottom + LEAST_PX });
  if (present.from <= least.from && present.to >= least.to) return present;
  return linesIn(heights, { top: seen.top - AHEAD_PX, bottom: seen.bottom + AHEAD_PX });
}

export function sum(heights: readonly number[], from: number, to: number): number {
  let all = 0;
  for (let at = from; at < to; at++) all += heights[at] ?? 0;
  return all;
}

/** How high a line will probably be on a phone; it is measured once it is there. */
export function guessHeight(row: Row): number {
  if (row.type === "agent") return 48;
  if (row.type === "review") return 80;
  const { body } = row.message;
  switch (body.type) {
    case "tool":
      return body.purpose?.type === "todos" || body.purpose?.type === "questions" ? 150 : 52;
    case "thinking":
      return 40;
    case "text":
    case "notice":
      return 38 + 24 * Math.ceil(body.text.length / 42);
    case "automatic":
      return 62;
    default:
      return 48;
  }
}
