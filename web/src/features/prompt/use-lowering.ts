/*
 * The ways to lower the sheet without touching it: Escape, and on phones that have it the gesture that goes back. Afterwards the focus is
 * where it was before.
 */
import { useEffect, useEffectEvent, useLayoutEffect } from "react";

interface CloseWatcher extends EventTarget {
  destroy: () => void;
}

declare global {
  interface Window {
    /** Not in every browser yet. */
    CloseWatcher?: new () => CloseWatcher;
  }
}

export function useLowering(raised: boolean, lower: () => void): void {
  const close = useEffectEvent(lower);

  useEffect(() => {
    if (!raised) return;
    if (window.CloseWatcher) {
      const watcher = new window.CloseWatcher();
      watcher.addEventListener("close", () => close());
      return () => watcher.destroy();
    }
    function onKey(event: KeyboardEvent) {
      if (event.key === "Escape" && !event.defaultPrevented) close();
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [raised]);

  // Before the sheet takes the focus, which it does once it is there.
  useLayoutEffect(() => {
    if (!raised) return;
    const before = document.activeElement;
    return () => {
      // After what takes its place is there; and not if the person is somewhere else by now.
      setTimeout(() => {
        const lost = document.activeElement === null || document.activeElement === document.body;
        if (lost && before instanceof HTMLElement && before.isConnected)
          before.focus({ preventScroll: true });
      });
    };
  }, [raised]);
}
