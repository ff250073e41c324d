/* Facts about this device that can change while the page is open. */
import { useSyncExternalStore } from "react";

/** From this width on the list, the chat and the sheet stand side by side. */
export const WIDE = "(min-width: 900px)";
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
