/* Which sessions stand where on the list, and which a search keeps. Pure. */
import { sessionHasWords } from "@/state/session-match";
import type { Session } from "@/wire/session";

export interface SessionLists {
  running: Session[];
  earlier: Session[];
}

/** Running ones in the order of their birth, so that nothing moves under the thumb; ended ones newest first. */
export function sortSessions(sessions: Session[], search: string): SessionLists {
  const found = sessions.filter((session) => sessionHasWords(session, search));
  return {
    running: found.filter(({ state }) => state.type !== "ended").sort((a, b) => b.createdAt - a.createdAt),
    earlier: found.filter(({ state }) => state.type === "ended").sort((a, b) => b.stateSince - a.stateSince),
  };
}
