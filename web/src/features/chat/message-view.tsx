/* One entry of a conversation. */
import { memo, useState } from "react";
import { Markdown } from "@/components/markdown";
import { ReviewButton } from "@/components/review-button";
import { ToolCard } from "@/features/chat/tool-card";
import { exact } from "@/lib/time";
import type { Message } from "@/wire/message";

interface Props {
  message: Message;
  /** The folder the session works in. */
  folder: string;
}

export const MessageView = memo(function MessageView({ message, folder }: Props) {
  if (message.agent === undefined) return <Body message={message} folder={folder} />;
  return (
    <div className="by-agent" title={`agent ${message.agent}`}>
      <Body message={message} folder={folder} />
    </div>
  );
});

function Body({ message, folder }: Props) {
  const { body, role, at } = message;
  switch (body.type) {
    case "text":
      if (role === "user") {
        return (
          <div className="message message--user" dir="auto" title={exact(at)}>
            <span className="visually-hidden">You: </span>
            {body.text}
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
      return <Thinking text={body.text} />;
    case "tool":
      return <ToolCard body={body} folder={folder} />;
    case "notice":
      return (
        <p className="message message--notice" dir="auto">
          {body.text}
        </p>
      );
  }
}

function Thinking({ text }: { text: string }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="message thinking">
      <button type="button" className="text-button" aria-expanded={open} onClick={() => setOpen(!open)}>
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
