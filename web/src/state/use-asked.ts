/* Asks the server for something a page shows, again whenever what is asked for has changed; only the last one counts. */
import { useEffect, useEffectEvent, useState } from "react";
import { failureText } from "@/lib/request-failed";
import { useAppState } from "@/state/app-context";

export type Asked<Data> = { of: string; data: Data } | { of: string; problem: string };

/**
 * `of` names what is asked for; nothing asks for nothing. The answer stays until the next one is there, and says what it is the answer to.
 * Whoever types on need not be told about every letter: it is asked for after a pause.
 */
export function useAsked<Data>(of: string | null, ask: () => Promise<Data>, pauseMs = 0): Asked<Data> | null {
  const live = useAppState((state) => state.connection.type === "live");
  const [answer, setAnswer] = useState<Asked<Data> | null>(null);
  const send = useEffectEvent(ask);

  useEffect(() => {
    if (!live || of === null) return;
    let over = false;
    const tell = (next: Asked<Data>) => {
      if (!over) setAnswer(next);
    };
    const timer = setTimeout(() => {
      send().then(
        (data) => tell({ of, data }),
        (error: unknown) => tell({ of, problem: failureText(error) }),
      );
    }, pauseMs);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [live, of, pauseMs]);

  return answer;
}
