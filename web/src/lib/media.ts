/* Facts about this device that can change while the page is open. */
import { useSyncExternalStore } from "react";

/** There is room for the list beside a page: at a desk, and on a phone that lies on its side. */
export const BESIDE = "(min-width: 900px), (min-width: 45em) and (orientation: landscape)";
/**
 * There is room for the sheet beside both. A phone on its side may be wide enough for it but is far too low: the options
 * would hide what they are about. Nothing that wide is a phone, however low its keyboard leaves it.
 */
export const PANEL = "(min-width: 1100px), (min-width: 900px) and (min-height: 30em)";
/** A finger rather than a mouse: Enter then makes a new line. */
export const TOUCH = "(pointer: coarse)";

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
  );
}
