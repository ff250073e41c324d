/* Which sessions stand where on the list, and which a search keeps. Pure. */
import { sessionHasWords } from "@/state/session-match";
import type { Session } from "@/wire/session";

export interface SessionLists {
  running: Session[];
  earlier: Session[];
}

/** By activity: whatever has changed what it does last is on top, in both lists. */
export function sortSessions(sessions: Session[], search: string): SessionLists {
  const found = sessions.filter((session) => sessionHasWords(session, search));
  return {
    running: found.filter(({ state }) => state.type !== "ended").sort((a, b) => b.stateSince - a.stateSince),
    earlier: found.filter(({ state }) => state.type === "ended").sort((a, b) => b.stateSince - a.stateSince),
  };
}
