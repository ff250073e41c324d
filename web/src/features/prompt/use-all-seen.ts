/* Whether all of a text that may be cut is seen: measured, because how much fits is for the device to say. */
import { useLayoutEffect, useRef, useState, type RefObject } from "react";

/** True once the element was measured and hides nothing of what is in it. */
export function useAllSeen<Kind extends HTMLElement>(of: string): [RefObject<Kind | null>, boolean] {
  const element = useRef<Kind>(null);
  const [seen, setSeen] = useState<string | null>(null);
  useLayoutEffect(() => {
    const box = element.current;
    if (!box) return;
    function measure() {
      if (!box) return;
      const fits = box.scrollHeight <= box.clientHeight + 1 && box.scrollWidth <= box.clientWidth + 1;
      setSeen(fits ? of : null);
    }
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(box);
    return () => resized.disconnect();
  }, [of]);
  return [element, seen === of];
}
