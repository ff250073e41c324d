/*
 * Two taps are two decisions: what cannot be taken back needs a second tap on the same thing, not sooner than a person could have read
 * what the first one brought up, and not so late that it was forgotten. One notion for options, cards and buttons. Pure.
 */

/** A second tap sooner than this belongs to the first: a nervous double tap decides nothing. */
export const LEAST_MS = 400;
/** Long enough to read what is asked, short enough not to lie in wait for a stray tap. */
export const ARMED_MS = 5_000;

/** What was tapped once, and when. */
export interface Armed {
  what: string;
  at: number;
}

export type Tap = "first" | "too-soon" | "second";

export function judgeTap(armed: Armed | null, what: string, now: number): Tap {
  if (armed?.what !== what || now - armed.at >= ARMED_MS) return "first";
  return now - armed.at < LEAST_MS ? "too-soon" : "second";
}
