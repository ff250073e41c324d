/* Asks the server as the person types; the last words count. */
import { useVerbs } from "@/state/app-context";
import { useAsked } from "@/state/use-asked";
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
  const { ask } = useVerbs();
  const query = typed.trim();
  const short = query.length < SHORTEST;
  const where = sessionId === undefined ? {} : { sessionId };
  const asked = useAsked(
    short ? null : query,
    () => ask({ type: "search", query, limit: LIMIT, ...where }, "found"),
    PAUSE_MS,
  );
  if (short) return { type: "idle" };
  // What was found for the letters before stays until there is something better to see.
  if (!asked) return { type: "looking" };
  if ("problem" in asked) return { type: "failed", why: asked.problem };
  const { hits, more } = asked.data;
  return { type: "found", query: asked.of, hits, more };
}
