/* Asks the server as the person types; the last words count. */
import { useEffect, useState } from "react";
import { failureText } from "@/lib/request-failed";
import { useAppState, useVerbs } from "@/state/app-context";
import type { SearchHit } from "@/wire/protocol";
import type { SessionId } from "@/wire/session";

/** Whoever types on need not be told about every letter. */
const PAUSE_MS = 150;
/** One letter is in every message. */
const SHORTEST = 2;
const LIMIT = 100;

export type Found =
  /** Nothing to look for. */
  | { type: "idle" }
  | { type: "looking" }
  | { type: "found"; query: string; hits: SearchHit[]; more: boolean }
  | { type: "failed"; why: string };

export function useSearch(typed: string, sessionId: SessionId | undefined): Found {
  const live = useAppState((state) => state.connection.type === "live");
  const { ask } = useVerbs();
  const query = typed.trim();
  const [answer, setAnswer] = useState<{ query: string; found: Found } | null>(null);

  useEffect(() => {
    if (!live || query.length < SHORTEST) return;
    let over = false;
    const tell = (found: Found) => {
      if (!over) setAnswer({ query, found });
    };
    const timer = setTimeout(() => {
      const command = {
        type: "search",
        query,
        limit: LIMIT,
        ...(sessionId !== undefined && { sessionId }),
      } as const;
      ask(command, "found").then(
        ({ hits, more }) => tell({ type: "found", query, hits, more }),
        (error: unknown) => tell({ type: "failed", why: failureText(error) }),
      );
    }, PAUSE_MS);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [live, ask, query, sessionId]);

  if (query.length < SHORTEST) return { type: "idle" };
  // What was found for the letters before stays until there is something better to see.
  return answer?.found ?? { type: "looking" };
}
