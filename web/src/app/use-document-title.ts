/* A tab in the background says how many prompts wait. */
import { useEffect } from "react";
import { useAppState } from "@/state/app-context";

export function useDocumentTitle(): void {
  const waiting = useAppState((state) => state.prompts.length);
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) Answerback` : "Answerback";
  }, [waiting]);
}
