/* The live terminal with the keys a phone lacks: the way out whenever a screen is not understood. */
import { AdapterBadge } from "@/components/adapter-badge";
import { ConnectionStrip } from "@/components/connection-status";
import { Icon } from "@/components/icon";
import { KeyBar } from "@/components/key-bar";
import { LiveScreen } from "@/components/live-screen";
import "@/features/terminal/terminal-page.css";
import { hrefOf } from "@/lib/router";
import { useAppState } from "@/state/app-context";
import { endWords } from "@/state/session-words";
import type { SessionId } from "@/wire/session";

export function TerminalPage({ sessionId }: { sessionId: SessionId }) {
  const session = useAppState((state) => state.sessions[sessionId]);
  return (
    <div className="page">
      <header className="bar">
        <a className="icon-button" href={hrefOf({ page: "chat", sessionId })} aria-label="Back">
          <Icon name="back" />
        </a>
        <h1 className="bar__title">
          {session && <AdapterBadge kind={session.adapter} />}
          <span className="bar__name" dir="auto">
            {session?.name}
          </span>
          <span className="dim small">terminal</span>
        </h1>
      </header>
      <ConnectionStrip />
      <div className="terminal">
        <LiveScreen sessionId={sessionId} />
        {session?.state.type === "ended" ? (
          <p className="terminal__over dim">{endWords(session.state.reason)}; this was its last screen</p>
        ) : (
          <div className="terminal__keys">
            <KeyBar sessionId={sessionId} />
          </div>
        )}
      </div>
    </div>
  );
}
