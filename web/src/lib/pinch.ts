/*
 * Zoom by two fingers inside one element, keeping what is between them in its place. The browser's own zoom would
 * enlarge the whole page, keys included.
 */
import { useEffect, useRef, type RefObject } from "react";

export interface Pinch {
  zoom: number;
  /** Where the fingers are, from the corner of the element. */
  at: { x: number; y: number };
}

const MOST = 5;

export function clampZoom(zoom: number): number {
  return Math.min(MOST, Math.max(1, zoom));
}

export function usePinch(
  box: RefObject<HTMLElement | null>,
  zoom: number,
  onPinch: (pinch: Pinch) => void,
): void {
  // Outlives the renders that the pinch itself brings about.
  const begin = useRef<{ distance: number; zoom: number } | null>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    function onTouch(event: TouchEvent) {
      const [first, second] = event.touches;
      if (!element || !first || !second) {
        begin.current = null;
        return;
      }
      event.preventDefault();
      const distance = Math.hypot(first.clientX - second.clientX, first.clientY - second.clientY);
      begin.current ??= { distance, zoom };
      const { left, top } = element.getBoundingClientRect();
      const at = {
        x: (first.clientX + second.clientX) / 2 - left,
        y: (first.clientY + second.clientY) / 2 - top,
      };
      onPinch({ zoom: clampZoom((begin.current.zoom * distance) / begin.current.distance), at });
    }
    const kinds = ["touchstart", "touchmove", "touchend", "touchcancel"] as const;
    // React listens passively to touches, and then the page could not be kept from zooming.
    for (const kind of kinds) element.addEventListener(kind, onTouch, { passive: false });
    return () => {
      for (const kind of kinds) element.removeEventListener(kind, onTouch);
    };
  });
}
