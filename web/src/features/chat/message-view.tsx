/* One entry of a conversation. */
import { memo } from "react";
import { Markdown } from "@/components/markdown";
import { AutomaticLine } from "@/features/chat/automatic-line";
import { useFold } from "@/features/chat/folds";
import { MessageImages } from "@/features/chat/message-images";
import { MessageMenu } from "@/features/chat/message-menu";
import { ToolCard } from "@/features/chat/tool-card";
import { exact } from "@/words/time";
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
          {!body.streaming && body.text.trim() !== "" && (
            <MessageMenu sessionId={sessionId} text={body.text} />
          )}
          <Markdown text={body.text} />
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
    case "automatic":
      return <AutomaticLine body={body} sessionId={sessionId} />;
    default:
      return (
        <p className="message message--notice">something that this page cannot show; the terminal does</p>
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
