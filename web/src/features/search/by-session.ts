/* Hits, put together by session: the session with the newest hit first. Pure. */
import type { SearchHit } from "@/wire/protocol";
import type { SessionId } from "@/wire/session";

export interface SessionHits {
  sessionId: SessionId;
  hits: SearchHit[];
}

export function bySession(hits: SearchHit[]): SessionHits[] {
  const groups = new Map<SessionId, SearchHit[]>();
  for (const hit of hits) {
    const group = groups.get(hit.sessionId);
    if (group) group.push(hit);
    else groups.set(hit.sessionId, [hit]);
  }
  return [...groups]
    .map(([sessionId, hits]) => ({ sessionId, hits }))
    .sort((a, b) => (b.hits[0]?.at ?? 0) - (a.hits[0]?.at ?? 0));
}
