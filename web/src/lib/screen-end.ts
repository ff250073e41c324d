/* Where a terminal's screen ends for the eye: programs ask at the end of what they wrote, rarely at the top. Pure. */
import type { ScreenFrame } from "@/wire/screen";

/** How far a box must be scrolled so that the last row in use, or the cursor's if it is lower, is the last one seen. */
export function topToShowEnd(frame: ScreenFrame, contentHeight: number, viewHeight: number): number {
  const { rows, lines, cursor } = frame;
  const end = Math.max(lines.length, cursor.visible ? cursor.y + 1 : 0);
  return Math.max(0, (end / Math.max(rows, 1)) * contentHeight - viewHeight);
}
