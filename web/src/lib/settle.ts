/*
 * Nothing moves under the thumb: for a moment after buttons appeared, moved or changed they take no tap and no key, because it was meant
 * for what was there before.
 */
import { useLayoutEffect, useRef, useState } from "react";

/** How long a thumb may be under way. */
export const SETTLE_MS = 350;
/** Only then do the buttons look alive again: by that time a tap on them is good. */
const LIVELY_MS = SETTLE_MS + 20;

export interface Settling {
  /** For the looks of it: true until the moment is over. */
  settling: boolean;
  /** For every tap and key: false until the moment is over. */
  isSettled: () => boolean;
}

/** `of` names what is there to be tapped; whenever it is another one, the moment begins again. */
export function useSettling(of: string): Settling {
  const changedAt = useRef(Infinity);
  const [lively, setLively] = useState<string | null>(null);
  useLayoutEffect(() => {
    changedAt.current = performance.now();
    const timer = setTimeout(() => setLively(of), LIVELY_MS);
    return () => clearTimeout(timer);
  }, [of]);
  return { settling: lively !== of, isSettled: () => performance.now() - changedAt.current >= SETTLE_MS };
}
