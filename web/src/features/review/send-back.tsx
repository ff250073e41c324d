/*
 * The reviewer's answer on its way back: quoted, to be edited, and sent as a message to the session it is about. It goes through the
 * outbox as any other message; what was half edited is kept like a draft.
 */
import { EndReview } from "@/features/review/end-review";
import { returnText } from "@/features/review/quote";
import "@/features/review/review.css";
import { useAppState, useDispatch, useVerbs } from "@/state/app-context";
import { useAdapterName } from "@/state/use-adapter";
import type { Message } from "@/wire/message";
import type { SessionId } from "@/wire/session";

interface Props {
  parent: SessionId;
  reviewer: SessionId;
  /** Back to the reviewed session: the review was sent there, or is over. */
  onDone: () => void;
}

export function SendBack({ parent, reviewer, onDone }: Props) {
  // Beside the draft of the reviewer's own composer, and gone with its session.
  const draftId = `${reviewer} back`;
  const messages = useAppState((state) => state.conversations[reviewer]?.messages);
  const session = useAppState((state) => state.sessions[reviewer]);
  const who = useAdapterName(session?.adapter);
  const asked = useAppState((state) =>
    state.sessions[parent]?.reviews?.findLast((each) => each.reviewer === reviewer),
  );
  const edited = useAppState((state) => state.drafts[draftId]);
  const dispatch = useDispatch();
  const { sendText } = useVerbs();
  const review = lastAnswer(messages ?? []);
  const edit = (text: string) => dispatch({ type: "draft", sessionId: draftId, text });

  function send() {
    if (edited === undefined) return;
    sendText(parent, edited, [], "elsewhere");
    edit("");
    dispatch({ type: "notice", tone: "plain", text: "The review goes back." });
    onDone();
  }

  if (edited === undefined) {
    return (
      <div className="send-back">
        <button
          type="button"
          className="button button--wide"
          disabled={review === "" || !session}
          onClick={() => session && edit(returnText(who, review))}
        >
          {review === "" ? "waiting for the review…" : "Send the review back"}
        </button>
        {asked && <EndReview review={asked} onEnded={onDone} />}
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
        value={edited}
        onChange={(event) => edit(event.target.value)}
      />
      <div className="send-back__ways">
        <button type="button" className="button" onClick={() => edit("")}>
          Cancel
        </button>
        <button
          type="button"
          className="button button--primary"
          disabled={edited.trim() === ""}
          onClick={send}
        >
          Send back
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
