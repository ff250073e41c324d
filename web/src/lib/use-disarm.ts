/*
 * Takes a first tap back: after a while, when the page loses the focus or the eye, and when the person turns to anything else on it.
 * What is armed carries `data-armed`.
 */
import { useEffect, useEffectEvent } from "react";
import { ARMED_MS, type Armed } from "@/lib/second-tap";

export function useDisarm(armed: Armed | null, disarm: () => void): void {
  const over = useEffectEvent(disarm);
  useEffect(() => {
    if (!armed) return;
    const timer = setTimeout(() => over(), ARMED_MS);
    const left = () => over();
    function elsewhere({ target }: Event) {
      if (!(target instanceof Element && target.closest("[data-armed]"))) over();
    }
    addEventListener("blur", left);
    document.addEventListener("visibilitychange", left);
    document.addEventListener("pointerdown", elsewhere);
    document.addEventListener("focusin", elsewhere);
    return () => {
      clearTimeout(timer);
      removeEventListener("blur", left);
      document.removeEventListener("visibilitychange", left);
      document.removeEventListener("pointerdown", elsewhere);
      document.removeEventListener("focusin", elsewhere);
    };
  }, [armed]);
}
