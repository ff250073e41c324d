/*
 * Looking for something: what was said, in one session or in all, and everything there ever was to go on with: ended
 * sessions and the conversations that the CLIs have kept by themselves. The words stand in the address, so that the
 * way back from a hit leads to the same list.
 */
import { useState } from "react";
import { PageBar } from "@/components/page-bar";
import { Icon } from "@/components/icon";
import { EarlierList } from "@/features/search/earlier-list";
import { HitList } from "@/features/search/hit-list";
import "@/features/search/search-page.css";
import { useSearch } from "@/features/search/use-search";
import { replaceRoute } from "@/lib/router";
import { useAppState } from "@/state/app-context";
import type { SessionId } from "@/wire/session";

interface Props {
  /** Where to look; in everything when it is not said. */
  sessionId: SessionId | undefined;
  query: string;
}

export function SearchPage({ sessionId, query }: Props) {
  const session = useAppState((state) => (sessionId === undefined ? undefined : state.sessions[sessionId]));
  const [typed, setTyped] = useState(query);
  const found = useSearch(typed, sessionId);

  function type(text: string) {
    setTyped(text);
    replaceRoute({ page: "search", ...(sessionId !== undefined && { sessionId }), query: text });
  }

  return (
    <div className="page">
      <PageBar back={sessionId === undefined ? { page: "home" } : { page: "chat", sessionId }}>
        <h1 className="visually-hidden">{session ? `Search in ${session.name}` : "Search and earlier"}</h1>
        <span className="search-bar">
          <Icon name="search" size={16} />
          <input
            type="search"
            className="search-bar__input"
            aria-label={session ? `Search in ${session.name}` : "Search everything"}
            placeholder={session ? `Search in ${session.name}` : "Search everything"}
            enterKeyHint="search"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            // The person came here to type.
            // eslint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            value={typed}
            onChange={(event) => type(event.target.value)}
          />
        </span>
      </PageBar>
      <div className="page__scroll">
        <div className="page__column">
          {sessionId === undefined && <EarlierList query={typed} />}
          <HitList found={found} inSession={sessionId !== undefined} />
        </div>
      </div>
    </div>
  );
}
