/* Which sessions stand where on the list, and which a search keeps. Pure. */
import { sessionHasWords } from "@/state/session-match";
import type { Session } from "@/wire/session";

export interface SessionLists {
  running: Session[];
  earlier: Session[];
}

/** What waits for the person stands on a card of its own, and only there. By activity: whatever has changed what it does last is on top, in both lists. */
export function sortSessions(
  sessions: Session[],
  search: string,
  waiting: ReadonlySet<string> = new Set(),
): SessionLists {
  const found = sessions.filter((session) => sessionHasWords(session, search));
  return {
    running: found
      .filter(({ id, state }) => state.type !== "ended" && !waiting.has(id))
      .sort((a, b) => b.stateSince - a.stateSince),
    earlier: found.filter(({ state }) => state.type === "ended").sort((a, b) => b.stateSince - a.stateSince),
  };
}
