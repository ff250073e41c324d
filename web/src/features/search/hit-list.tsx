/* What a search found: by session, with time and the words around each hit. A tap opens the chat there. */
import { AdapterBadge } from "@/components/adapter-badge";
import { Problem } from "@/components/problem";
import { bySession } from "@/features/search/by-session";
import type { Found } from "@/features/search/use-search";
import { hrefOf } from "@/lib/router";
import { useNow } from "@/lib/ticker";
import { ago, exact } from "@/words/time";
import { useAppState } from "@/state/app-context";
import type { MessageRole } from "@/wire/message";
import type { SearchHit, SnippetPart } from "@/wire/protocol";

export function HitList({ found, inSession }: { found: Found; inSession: boolean }) {
  if (found.type === "idle") {
    return inSession ? <p className="empty">Finds what was said, and what tools were used for.</p> : null;
  }
  if (found.type === "looking") return <p className="empty">looking…</p>;
  if (found.type === "failed") return <Problem text={found.why} />;
  const groups = bySession(found.hits);
  return (
    <section className="section" aria-label="Messages">
      {!inSession && <h2 className="section__title">Messages</h2>}
      <p className="visually-hidden" role="status">
        {found.hits.length} found
      </p>
      {groups.length === 0 && <p className="empty">no message has “{found.query}”</p>}
      {groups.map(({ sessionId, hits }) => (
        <div key={sessionId} className="hits card">
          {!inSession && <SessionHead sessionId={sessionId} />}
          <ul>
            {hits.map((hit) => (
              <li key={hit.messageId}>
                <Hit hit={hit} />
              </li>
            ))}
          </ul>
          {!inSession && (
            <a className="text-button" href={hrefOf({ page: "search", sessionId, query: found.query })}>
              search in this session
            </a>
          )}
        </div>
      ))}
      {found.more && <p className="dim small">Only the newest are shown: more words find less.</p>}
    </section>
  );
}

function SessionHead({ sessionId }: { sessionId: string }) {
  const session = useAppState((state) => state.sessions[sessionId]);
  if (!session) return null;
  return (
    <h3 className="hits__session">
      <AdapterBadge kind={session.adapter} />
      <span dir="auto">{session.name}</span>
    </h3>
  );
}

const SPEAKERS: Record<MessageRole, string> = { user: "You", assistant: "Agent", system: "CLI" };

function Hit({ hit: { sessionId, messageId, role, at, snippet } }: { hit: SearchHit }) {
  const now = useNow();
  return (
    <a className="hit" href={hrefOf({ page: "chat", sessionId, messageId })}>
      <span className="hit__head dim small">
        {(SPEAKERS as Partial<typeof SPEAKERS>)[role] ?? role} · <time title={exact(at)}>{ago(at, now)}</time>
      </span>
      <span className="hit__text" dir="auto">
        {snippet.map((part, index) => (
          <Piece key={index} part={part} />
        ))}
      </span>
    </a>
  );
}

function Piece({ part: { text, hit } }: { part: SnippetPart }) {
  return hit ? <mark>{text}</mark> : text;
}
