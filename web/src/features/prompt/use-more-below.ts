/* Whether a part of what is asked lies below what is seen, hidden by the options or by the end of the sheet. */
import { useEffect, useRef, useState, type RefObject } from "react";

/** Less than a line is no part of anything. */
const LEAST_PX = 12;

interface MoreBelow {
  sheet: RefObject<HTMLElement | null>;
  body: RefObject<HTMLDivElement | null>;
  moreBelow: boolean;
  /** Scrolls on by about what is seen now. */
  showMore: () => void;
}

/** `of` names what is asked. Upright the whole sheet scrolls, on its side the body alone. */
export function useMoreBelow(of: string): MoreBelow {
  const sheet = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const [moreBelow, setMoreBelow] = useState(false);

  useEffect(() => {
    const parts = [sheet.current, body.current].filter((part) => part !== null);
    const measure = () => setMoreBelow(parts.some((part) => hiddenBelow(part) > LEAST_PX));
    measure();
    const resized = new ResizeObserver(measure);
    for (const part of parts) {
      resized.observe(part);
      part.addEventListener("scroll", measure, { passive: true });
    }
    return () => {
      resized.disconnect();
      for (const part of parts) part.removeEventListener("scroll", measure);
    };
  }, [of]);

  function showMore() {
    for (const part of [sheet.current, body.current]) {
      if (part && hiddenBelow(part) > LEAST_PX)
        part.scrollBy({ top: part.clientHeight * 0.4, behavior: "smooth" });
    }
  }

  return { sheet, body, moreBelow, showMore };
}

function hiddenBelow(part: HTMLElement): number {
  const scrolls = getComputedStyle(part).overflowY !== "visible";
  return scrolls ? part.scrollHeight - part.clientHeight - part.scrollTop : 0;
}
