/* The conversation: only what is seen is in the page, pages come as they are needed, and a bounded number stays. */
import { useEffect, useMemo, useRef, useState } from "react";
import { Contained } from "@/components/contained";
import { Icon } from "@/components/icon";
import { ReviewNote } from "@/components/review-slot";
import { AgentLine } from "@/features/chat/agent-line";
import { Folds } from "@/features/chat/folds";
import { MessageView } from "@/features/chat/message-view";
import "@/features/chat/messages.css";
import { agentsAbove, rowsOf, withReviews, type Row } from "@/features/chat/rows";
import { useReviewsOf } from "@/state/reviews";
import { useConversation } from "@/features/chat/use-conversation";
import { useRowWindow, type Seen } from "@/features/chat/use-row-window";
import type { MessageId } from "@/wire/message";
import type { Session } from "@/wire/session";

/** Closer to an end of what is loaded than this the next page is fetched, so that it is there when the thumb arrives. */
const AHEAD_PX = 2000;

interface Props {
  session: Session;
  /** The message that was looked for. */
  target: MessageId | undefined;
}

export function MessageList({ session, target }: Props) {
  const conversation = useConversation(session.id, target);
  const { messages, atStart, atEnd, stale, problem } = conversation;
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const above = useMemo(
    () => (target === undefined ? [] : agentsAbove(messages, target)),
    [messages, target],
  );
  const open = useMemo(() => new Set([...opened, ...above]), [opened, above]);
  const reviews = useReviewsOf(session);
  const rows = useMemo(
    () => withReviews(rowsOf(messages, open), reviews, atStart),
    [messages, open, reviews, atStart],
  );
  const { scroller, list, watchRow, range, before, after, atBottom, onScroll, toBottom, reveal } =
    useRowWindow(rows, onSeen);
  const [folds] = useState(() => new Map<string, boolean>());
  const revealed = useRef<MessageId | undefined>(undefined);

  function onSeen({ above, below, range }: Seen) {
    if (above < AHEAD_PX && !atStart) void conversation.load("older");
    if (below < AHEAD_PX && !atEnd) void conversation.load("newer");
    conversation.keepAround(messageAt(rows, range.from), messageAt(rows, range.to - 1));
  }

  const isThere = target !== undefined && rows.some(({ key }) => key === target);
  useEffect(() => {
    if (!isThere || revealed.current === target) return;
    revealed.current = target;
    reveal(target);
  });

  async function toLatest() {
    if (!atEnd && !(await conversation.load("newest"))) return;
    toBottom();
  }

  function toggle(agent: string) {
    const next = new Set(open);
    if (!next.delete(agent)) next.add(agent);
    setOpened(next);
  }

  return (
    <div className="messages">
      <div className="messages__scroll" ref={scroller} onScroll={onScroll}>
        <div className="messages__column" role="log" aria-label="Conversation" aria-live="off">
          {!atStart && messages.length > 0 && <p className="messages__edge">older messages…</p>}
          {problem !== null && (
            <p className="messages__edge bad" role="alert">
              {problem}{" "}
              <button type="button" className="text-button" onClick={conversation.tryAgain}>
                try again
              </button>
            </p>
          )}
          {messages.length === 0 && problem === null && (
            <p className="empty">{stale ? "fetching messages…" : emptyWords(session)}</p>
          )}
          <Folds value={folds}>
            <div ref={list}>
              <div style={{ height: before }} />
              {rows.slice(range.from, range.to).map((row) => (
                <div key={row.key} data-row={row.key} ref={watchRow} className={rowClass(row, target)}>
                  {row.type === "agent" && <AgentLine row={row} onToggle={() => toggle(row.agent)} />}
                  {row.type === "review" && <ReviewNote session={session} review={row.review} />}
                  {row.type === "message" && (
                    <Contained what="this message" sessionId={session.id}>
                      <MessageView message={row.message} folder={session.folder} sessionId={session.id} />
                    </Contained>
                  )}
                </div>
              ))}
              <div style={{ height: after }} />
            </div>
          </Folds>
          {!atEnd && <p className="messages__edge">newer messages…</p>}
        </div>
      </div>
      {(!atBottom || !atEnd) && (
        <button type="button" className="button messages__latest" onClick={() => void toLatest()}>
          <Icon name="down" size={16} /> latest
        </button>
      )}
    </div>
  );
}

function rowClass(row: Row, target: MessageId | undefined): string {
  const kind = row.type === "message" ? row.message.body.type : row.type;
  const depth = row.depth > 0 ? ` line--depth-${Math.min(row.depth, 3)}` : "";
  return `line line--${kind}${depth}${row.key === target ? " line--target" : ""}`;
}

/** The message of a line, or what an agent's line stands for. */
function messageAt(rows: Row[], at: number): MessageId | undefined {
  const row = rows[at];
  return row?.type === "message" ? row.message.id : row?.last.id;
}

function emptyWords({ state }: Session): string {
  if (state.type === "starting") return state.detail ? `starting: ${state.detail}` : "starting…";
  return "Nothing was said yet.";
}
