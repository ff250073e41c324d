/* The number of waiting prompts, where it is seen without opening the page: on its tab and on the app's icon. */
import { useEffect } from "react";
import { useAppState } from "@/state/app-context";

export function useBadge(): void {
  const waiting = useAppState((state) => state.prompts.length);
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) Answerback` : "Answerback";
    // Only installed apps have one; others refuse, which is fine.
    if ("setAppBadge" in navigator) navigator.setAppBadge(waiting).catch(() => undefined);
  }, [waiting]);
}
