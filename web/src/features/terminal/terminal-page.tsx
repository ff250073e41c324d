/* The live terminal with the keys a phone lacks: the way out whenever a screen is not understood. */
import { AdapterBadge } from "@/components/adapter-badge";
import { ConnectionStrip } from "@/components/connection-status";
import { KeyBar } from "@/components/key-bar";
import { PageBar } from "@/components/page-bar";
import { LiveScreen } from "@/components/live-screen";
import "@/features/terminal/terminal-page.css";
import { useAppState } from "@/state/app-context";
import { endWords } from "@/words/session-words";
import type { SessionId } from "@/wire/session";

export function TerminalPage({ sessionId }: { sessionId: SessionId }) {
  const session = useAppState((state) => state.sessions[sessionId]);
  return (
    <div className="page">
      <PageBar back={{ page: "chat", sessionId }}>
        <h1 className="bar__title">
          {session && <AdapterBadge kind={session.adapter} />}
          <span className="bar__name" dir="auto">
            {session?.name}
          </span>
          <span className="dim small">terminal</span>
        </h1>
      </PageBar>
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
