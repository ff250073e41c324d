/* Whether the list keeps to its end after it was scrolled. Pure. */

/** Closer to the end than this, on the way down, counts as being there. */
const NEAR_PX = 48;
/** What rounding leaves where the browser itself has scrolled to the end. */
const ROUNDING_PX = 2;

interface Scrolled {
  /** Whether it kept to the end before. */
  stuck: boolean;
  wentUp: boolean;
  /** How many pixels are below what is seen. */
  left: number;
}

/**
 * Only the person's own way up lets go of the end, and the first step of it does: a slow finger must not be pulled
 * back by every word that streams in. A composer that grows also leaves room below, for a moment, but nothing goes up.
 */
export function staysAtEnd({ stuck, wentUp, left }: Scrolled): boolean {
  return wentUp ? left < ROUNDING_PX : stuck || left < NEAR_PX;
}
