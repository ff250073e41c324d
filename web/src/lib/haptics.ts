/* A tick in the hand when an answer is sent, where the device can. */

const TICK_MS = 10;

export function tick(): void {
  if ("vibrate" in navigator) navigator.vibrate(TICK_MS);
}
