import { expect, test } from "vitest";
import { topToShowEnd } from "@/lib/screen-end";
import type { ScreenFrame } from "@/wire/screen";

function frame(used: number, cursor: Partial<ScreenFrame["cursor"]> = {}): ScreenFrame {
  const lines = Array.from({ length: used }, () => [{ text: "x" }]);
  return { cols: 80, rows: 40, lines, cursor: { x: 0, y: 0, visible: false, ...cursor } };
}

test.each([
  ["what fits is not scrolled", frame(10), 0],
  ["the last row in use is the last one seen", frame(30), 200],
  ["a full screen is scrolled to its end", frame(40), 300],
  ["the cursor counts where it can be seen", frame(10, { y: 29, visible: true }), 200],
  ["a hidden cursor does not count", frame(10, { y: 29 }), 0],
])("%s", (_, screen, top) => {
  // Forty rows of ten pixels in a box of a hundred.
  expect(topToShowEnd(screen, 400, 100)).toBe(top);
});
