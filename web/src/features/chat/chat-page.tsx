/* One session: its conversation (or, where only the screen tells, its screen) above the composer. */
import { lazy, type ReactNode } from "react";
import { ConnectionStrip } from "@/components/connection-status";
import { Fetched } from "@/components/fetched";
import { LiveScreen } from "@/components/terminal-parts";
import { ChatBar } from "@/features/chat/chat-bar";
import "@/features/chat/chat-page.css";
import { Composer } from "@/features/chat/composer";
import { FirstMessage } from "@/features/chat/first-message";
import { MessageList } from "@/features/chat/message-list";
import { OutboxList } from "@/features/chat/outbox-list";
import { hrefOf } from "@/lib/router";
import { useAppState } from "@/state/app-context";
import type { MessageId } from "@/wire/message";
import type { SessionId } from "@/wire/session";

const EndedNote = lazy(async () => ({ default: (await import("@/features/chat/ended-note")).EndedNote }));

interface Props {
  sessionId: SessionId;
  /** The message that was looked for. */
  messageId?: MessageId | undefined;
  /** What stands between the conversation and the composer. */
  aside?: ReactNode;
}

export function ChatPage({ sessionId, messageId, aside }: Props) {
  const session = useAppState((state) => state.sessions[sessionId]);
  const loaded = useAppState((state) => state.loaded);

  if (!session) {
    return (
      <div className="page empty">
        <ConnectionStrip />
        <p>{loaded ? "There is no such session; it may have been forgotten." : "fetching the session…"}</p>
        <OutboxList sessionId={sessionId} editable={false} />
        <a className="button" href={hrefOf({ page: "home" })}>
          All sessions
        </a>
      </div>
    );
  }

  return (
    <div className="page">
      <ChatBar session={session} />
      <ConnectionStrip />
      {session.hasMessages ? (
        <MessageList session={session} target={messageId} />
      ) : (
        <Fetched until="waiting for the screen…">
          <LiveScreen sessionId={sessionId} />
        </Fetched>
      )}
      <OutboxList sessionId={sessionId} editable={session.state.type !== "ended"} />
      <FirstMessage session={session} />
      {session.state.type === "ended" ? (
        <Fetched>
          <EndedNote session={session} reason={session.state.reason} />
        </Fetched>
      ) : (
        <>
          {aside}
          <Composer session={session} />
        </>
      )}
    </div>
  );
}
