/* One entry of a conversation. */
import { memo } from "react";
import { Markdown } from "@/components/markdown";
import { ReviewButton } from "@/components/review-button";
import { useFold } from "@/features/chat/folds";
import { MessageImages } from "@/features/chat/message-images";
import { ToolCard } from "@/features/chat/tool-card";
import { exact } from "@/lib/time";
import type { Message } from "@/wire/message";
import type { SessionId } from "@/wire/session";

interface Props {
  message: Message;
  /** The folder the session works in. */
  folder: string;
  sessionId: SessionId;
}

export const MessageView = memo(function MessageView({ message, folder, sessionId }: Props) {
  const { id, body, role, at, images } = message;
  switch (body.type) {
    case "text":
      if (role === "user") {
        return (
          <div className="message message--user" dir="auto" title={exact(at)}>
            <span className="visually-hidden">You: </span>
            {body.text}
            {images && <MessageImages sessionId={sessionId} images={images} />}
          </div>
        );
      }
      return (
        <div className={body.streaming ? "message message--streaming" : "message"} title={exact(at)}>
          <Markdown text={body.text} />
          {!body.streaming && <ReviewButton subject={body.text} text={body.text} />}
        </div>
      );
    case "thinking":
      return <Thinking id={id} text={body.text} />;
    case "tool":
      return <ToolCard id={id} body={body} folder={folder} sessionId={sessionId} />;
    case "notice":
      return (
        <p className="message message--notice" dir="auto">
          {body.text}
        </p>
      );
  }
});

function Thinking({ id, text }: { id: string; text: string }) {
  const [open, toggle] = useFold(id);
  return (
    <div className="message thinking">
      <button type="button" className="text-button" aria-expanded={open} onClick={toggle}>
        {open ? "▾" : "▸"} thinking
      </button>
      {open && (
        <p className="thinking__text" dir="auto">
          {text}
        </p>
      )}
    </div>
  );
}
