/* How long to wait before the next attempt to connect. Pure: chance is an argument. */

/** Short enough that a blink of the network is not noticed. */
const FIRST_MS = 250;
/** Long enough that a sleeping workstation is not hammered, short enough to come back within a breath. */
const LONGEST_MS = 15_000;

/**
 * The pause before attempt number `attempt` (from 0). Half of it is chance, so that several phones that lost
 * the same server do not return in the same instant.
 */
export function backoffMs(attempt: number, chance: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt);
  return Math.round(full / 2 + (full / 2) * chance);
}
