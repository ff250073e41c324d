/* One session: its conversation (or, where only the screen tells, its screen) above the composer. */
import { useEffect, type ReactNode } from "react";
import { ConnectionStrip } from "@/components/connection-status";
import { LiveScreen } from "@/components/live-screen";
import { ChatBar } from "@/features/chat/chat-bar";
import "@/features/chat/chat-page.css";
import { Composer } from "@/features/chat/composer";
import { EndedNote } from "@/features/chat/ended-note";
import { FirstMessage } from "@/features/chat/first-message";
import { MessageList } from "@/features/chat/message-list";
import { OutboxList } from "@/features/chat/outbox-list";
import { hrefOf } from "@/lib/router";
import { useAppState, useDispatch } from "@/state/app-context";
import type { MessageId } from "@/wire/message";
import type { SessionId } from "@/wire/session";

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
  const dispatch = useDispatch();

  useEffect(() => {
    dispatch({ type: "viewing", sessionId });
    return () => dispatch({ type: "viewing", sessionId: null });
  }, [dispatch, sessionId]);

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
        <LiveScreen sessionId={sessionId} />
      )}
      <OutboxList sessionId={sessionId} editable={session.state.type !== "ended"} />
      <FirstMessage session={session} />
      {session.state.type === "ended" ? (
        <EndedNote session={session} reason={session.state.reason} />
      ) : (
        <>
          {aside}
          <Composer session={session} />
        </>
      )}
    </div>
  );
}
