/* The list: what needs the person first (handed in, it belongs to the prompts), then what runs, then what was. */
import { useMemo, useState, type ReactNode } from "react";
import { ConnectionStatus, StaleNote } from "@/components/connection-status";
import { Contained } from "@/components/contained";
import { Icon } from "@/components/icon";
import { EarlierSection } from "@/features/home/earlier-section";
import { EmptyHome } from "@/features/home/empty-home";
import "@/features/home/home-page.css";
import { InstallHint } from "@/features/home/install-hint";
import { sortSessions } from "@/features/home/session-order";
import { SessionRow } from "@/features/home/session-row";
import { hrefOf, navigate } from "@/lib/router";
import { useAppState } from "@/state/app-context";
import type { Session, SessionId } from "@/wire/session";

/** Fewer sessions than this are found by looking. */
const SEARCH_FROM = 4;

interface Props {
  needsYou: ReactNode;
  /** The session that is open beside the list. */
  current: SessionId | null;
}

export function HomePage({ needsYou, current }: Props) {
  const sessions = useAppState((state) => state.sessions);
  const loaded = useAppState((state) => state.loaded);
  const [search, setSearch] = useState("");
  const prompts = useAppState((state) => state.prompts);
  const lists = useMemo(() => {
    const waiting = new Set(prompts.map(({ prompt }) => prompt.sessionId ?? ""));
    return sortSessions(Object.values(sessions), search, waiting);
  }, [sessions, prompts, search]);
  const count = Object.keys(sessions).length;

  return (
    <div className="page">
      <header className="bar home-bar">
        <h1 className="bar__title">Answerback</h1>
        <ConnectionStatus />
        <a className="icon-button" href={hrefOf({ page: "settings" })} aria-label="Settings">
          <Icon name="gear" />
        </a>
      </header>
      <div className="page__scroll home">
        <StaleNote />
        {needsYou}
        {count >= SEARCH_FROM && <SearchField value={search} onChange={setSearch} />}
        <SessionSection title="Running" sessions={lists.running} current={current} />
        {loaded && count === 0 && <EmptyHome />}
        <EarlierSection sessions={lists.earlier} current={current} />
        {!loaded && <p className="empty">fetching sessions…</p>}
        {search !== "" && lists.running.length + lists.earlier.length === 0 && (
          <p className="empty">nothing matches “{search}”</p>
        )}
        {loaded && <InstallHint />}
      </div>
      <button
        type="button"
        className="fab"
        aria-label="New session"
        onClick={() => navigate({ page: "new" })}
      >
        <Icon name="plus" size={26} />
      </button>
    </div>
  );
}

interface SectionProps {
  title: string;
  sessions: Session[];
  current: SessionId | null;
}

function SessionSection({ title, sessions, current }: SectionProps) {
  if (sessions.length === 0) return null;
  return (
    <section className="section" aria-label={title}>
      <h2 className="section__title">{title}</h2>
      <ul className="rows">
        {sessions.map((session) => (
          <li key={session.id} className="rows__item">
            <Contained what={session.name} sessionId={session.id}>
              <SessionRow session={session} current={session.id === current} />
            </Contained>
          </li>
        ))}
      </ul>
    </section>
  );
}

function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <label className="search">
      <Icon name="search" size={16} />
      <input
        type="search"
        className="search__input"
        aria-label="Search sessions"
        placeholder="Search"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
