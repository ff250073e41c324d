/* The conversation: newest at the bottom, older pages fetched on the way up, a bounded number in the page. */
import { useEffect, useRef, useState } from "react";
import { Icon } from "@/components/icon";
import { MessageView } from "@/features/chat/message-view";
import { moveDown, moveUp, windowOf, type WindowEnd } from "@/features/chat/message-window";
import { useScroll } from "@/features/chat/use-scroll";
import { failureText } from "@/lib/request-failed";
import { useAppState, useVerbs } from "@/state/app-context";
import { EMPTY_CONVERSATION } from "@/state/conversation";
import type { Session } from "@/wire/session";

export function MessageList({ session }: { session: Session }) {
  const { id } = session;
  const { messages, atStart, stale } = useAppState((state) => state.conversations[id]) ?? EMPTY_CONVERSATION;
  const live = useAppState((state) => state.connection.type === "live");
  const { loadMessages } = useVerbs();
  const [end, setEnd] = useState<WindowEnd>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const loadingOlder = useRef(false);

  useEffect(() => {
    if (!stale || !live || problem !== null) return;
    loadMessages(id, "newest").catch((error: unknown) => setProblem(failureText(error)));
  }, [id, stale, live, problem, loadMessages]);

  const window = windowOf(messages, end);
  const shown = messages.slice(window.start, window.end);
  const { scroller, content, atBottom, onScroll, toBottom } = useScroll(
    `${messages[0]?.id ?? ""} ${shown[0]?.id ?? ""}`,
    {
      onTop: () => void showOlder(),
      onBottom: () => setEnd((current) => moveDown(messages, current)),
    },
  );

  async function showOlder() {
    if (window.start > 0) {
      setEnd((current) => moveUp(messages, current));
      return;
    }
    if (atStart || stale || loadingOlder.current) return;
    loadingOlder.current = true;
    try {
      await loadMessages(id, "older");
    } catch {
      // Scrolling on asks again; the connection strip says why nothing comes.
    } finally {
      loadingOlder.current = false;
    }
  }

  const behind = end !== null;
  return (
    <div className="messages">
      <div className="messages__scroll" ref={scroller} onScroll={onScroll}>
        <div className="messages__column" ref={content} role="log" aria-label="Conversation" aria-live="off">
          {!atStart && messages.length > 0 && <p className="messages__edge">older messages…</p>}
          {problem !== null && (
            <p className="messages__edge bad" role="alert">
              {problem}{" "}
              <button type="button" className="text-button" onClick={() => setProblem(null)}>
                try again
              </button>
            </p>
          )}
          {messages.length === 0 && problem === null && (
            <p className="empty">{stale ? "fetching messages…" : emptyWords(session)}</p>
          )}
          {shown.map((message) => (
            <MessageView key={message.id} message={message} folder={session.folder} />
          ))}
        </div>
      </div>
      {(!atBottom || behind) && (
        <button
          type="button"
          className="button messages__latest"
          onClick={() => {
            setEnd(null);
            toBottom();
          }}
        >
          <Icon name="down" size={16} /> latest
        </button>
      )}
    </div>
  );
}

function emptyWords({ state }: Session): string {
  if (state.type === "starting") return state.detail ? `starting: ${state.detail}` : "starting…";
  return "Nothing was said yet.";
}
