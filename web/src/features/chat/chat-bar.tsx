/* The bar of a chat: back, who, what it does, and the panel with everything else about the session. */
import { lazy, useState } from "react";
import { AdapterBadge } from "@/components/adapter-badge";
import { Fetched } from "@/components/fetched";
import { Icon } from "@/components/icon";
import { SessionMarks } from "@/components/session-marks";
import { hrefOf } from "@/lib/router";
import { useNow } from "@/lib/ticker";
import { contextWords } from "@/words/usage-words";
import { stateWords } from "@/words/session-words";
import type { Session } from "@/wire/session";

const SessionPanel = lazy(async () => ({
  default: (await import("@/features/chat/session-panel")).SessionPanel,
}));

export function ChatBar({ session }: { session: Session }) {
  const [open, setOpen] = useState(false);
  return (
    <header className="bar chat-bar">
      <a className="icon-button chat-bar__back" href={hrefOf({ page: "home" })} aria-label="Back">
        <Icon name="back" />
      </a>
      <div className="chat-bar__who">
        <h1 className="chat-bar__name" dir="auto">
          {session.name}
        </h1>
        {/* Beside the name it would take the room that a long one needs. */}
        <p className="chat-bar__line">
          <AdapterBadge kind={session.adapter} />
          <SessionMarks session={session} all />
          <StateWords session={session} />
        </p>
      </div>
      {session.hasMessages && (
        <a
          className="icon-button"
          href={hrefOf({ page: "search", sessionId: session.id })}
          aria-label="Search in this session"
        >
          <Icon name="search" />
        </a>
      )}
      <a
        className="icon-button"
        href={hrefOf({ page: "terminal", sessionId: session.id })}
        aria-label="Terminal"
      >
        <Icon name="terminal" />
      </a>
      <button
        type="button"
        className="icon-button"
        aria-label="Session menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name="more" />
      </button>
      {open && (
        <Fetched>
          <SessionPanel session={session} onClose={() => setOpen(false)} />
        </Fetched>
      )}
    </header>
  );
}

function StateWords({ session }: { session: Session }) {
  const { state } = session;
  const now = useNow();
  // How long it waits stands on the sheet; here it would push its own word out of the bar.
  const words = state.type === "waiting" ? "waiting" : stateWords(session, now);
  const context = session.usage && state.type !== "waiting" ? contextWords(session.usage) : null;
  const detail = state.type === "busy" && state.detail !== "" ? ` · ${state.detail}` : "";
  return (
    <span className={`chat-bar__state chat-bar__state--${state.type} tabular`}>
      {words}
      {detail}
      {context !== null && ` · context ${context}`}
    </span>
  );
}
