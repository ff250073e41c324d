/* The reviewer's answer on its way back: quoted, to be edited, and sent as a message to the session it is about. */
import { useState } from "react";
import { Problem } from "@/components/problem";
import { returnText } from "@/features/review/quote";
import "@/features/review/review.css";
import { adapterName } from "@/lib/adapter-names";
import { failureText } from "@/lib/request-failed";
import { freshUuid } from "@/lib/uuid";
import { useAppState, useDispatch, useVerbs } from "@/state/app-context";
import type { Message } from "@/wire/message";
import type { SessionId } from "@/wire/session";

interface Props {
  parent: SessionId;
  reviewer: SessionId;
  onSent: () => void;
}

export function SendBack({ parent, reviewer, onSent }: Props) {
  const messages = useAppState((state) => state.conversations[reviewer]?.messages);
  const session = useAppState((state) => state.sessions[reviewer]);
  const dispatch = useDispatch();
  const { ask } = useVerbs();
  const [edited, setEdited] = useState<{ key: string; text: string } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const review = lastAnswer(messages ?? []);

  async function send() {
    if (!edited) return;
    setProblem(null);
    setSending(true);
    try {
      await ask(
        { type: "send-text", sessionId: parent, text: edited.text, idempotencyKey: edited.key },
        "done",
      );
      dispatch({ type: "notice", tone: "good", text: "The review was sent back." });
      setEdited(null);
      onSent();
    } catch (error) {
      setProblem(failureText(error));
    }
    setSending(false);
  }

  if (!edited) {
    return (
      <div className="send-back">
        <button
          type="button"
          className="button button--wide"
          disabled={review === "" || !session}
          onClick={() =>
            session && setEdited({ key: freshUuid(), text: returnText(adapterName(session.adapter), review) })
          }
        >
          {review === "" ? "waiting for the review…" : "Send the review back"}
        </button>
      </div>
    );
  }
  return (
    <div className="send-back">
      <textarea
        className="input"
        rows={6}
        dir="auto"
        aria-label="Review to send back"
        value={edited.text}
        onChange={(event) => setEdited({ ...edited, text: event.target.value })}
      />
      {problem !== null && <Problem text={problem} />}
      <div className="send-back__ways">
        <button type="button" className="button" disabled={sending} onClick={() => setEdited(null)}>
          Cancel
        </button>
        <button
          type="button"
          className="button button--primary"
          disabled={sending || edited.text.trim() === ""}
          onClick={() => void send()}
        >
          {sending ? "Sending…" : "Send back"}
        </button>
      </div>
    </div>
  );
}

/** What the reviewer said since it was last spoken to. */
function lastAnswer(messages: Message[]): string {
  const asked = messages.findLastIndex(({ role, body }) => role === "user" && body.type === "text");
  return messages
    .slice(asked + 1)
    .flatMap(({ role, body }) =>
      role === "assistant" && body.type === "text" && !body.streaming ? [body.text] : [],
    )
    .join("\n\n");
}
