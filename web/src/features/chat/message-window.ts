/*
 * Which of the loaded messages are in the page. A long conversation keeps at most a bounded number there: a window
 * that ends at a message (or at the newest) and is moved a page at a time when the person scrolls to its edge. Pure.
 */
import type { Message, MessageId } from "@/wire/message";

/** As many as an old phone lays out without a hitch. */
export const WINDOW = 400;
/** How far the window moves at once. */
const STRIDE = 100;

/** The last message in the window; null follows the newest. */
export type WindowEnd = MessageId | null;

export function windowOf(messages: Message[], end: WindowEnd): { start: number; end: number } {
  const at = end === null ? -1 : messages.findLastIndex(({ id }) => id === end);
  const after = at < 0 ? messages.length : at + 1;
  return { start: Math.max(0, after - WINDOW), end: after };
}

/** Towards older messages; the same when everything older is in the window already. */
export function moveUp(messages: Message[], end: WindowEnd): WindowEnd {
  const current = windowOf(messages, end);
  const by = Math.min(STRIDE, current.start);
  return by === 0 ? end : (messages[current.end - 1 - by]?.id ?? end);
}

/** Towards newer messages; following again when the newest is reached. */
export function moveDown(messages: Message[], end: WindowEnd): WindowEnd {
  if (end === null) return null;
  const next = windowOf(messages, end).end - 1 + STRIDE;
  return next >= messages.length - 1 ? null : (messages[next]?.id ?? null);
}
