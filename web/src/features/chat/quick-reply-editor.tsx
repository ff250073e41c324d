/* The quick replies of this device: new ones are added, each can be taken away. */
import { useEffect, useRef, useState, type SyntheticEvent } from "react";
import { Icon } from "@/components/icon";
import { useAppState, useDispatch } from "@/state/app-context";

/** More than a thumb swipes through. */
const LIMIT = 12;

export function QuickReplyEditor({ onDone }: { onDone: () => void }) {
  const replies = useAppState((state) => state.preferences.quickReplies);
  const [text, setText] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const dispatch = useDispatch();
  const fresh = text.trim();
  const isFull = replies.length >= LIMIT;
  const keep = (quickReplies: string[]) => dispatch({ type: "preferences", preferences: { quickReplies } });

  useEffect(() => field.current?.focus(), []);

  function add(event: SyntheticEvent) {
    event.preventDefault();
    if (fresh === "" || isFull) return;
    keep([...replies.filter((reply) => reply !== fresh), fresh]);
    setText("");
  }

  return (
    <section className="quick-editor" aria-label="Quick replies of this device">
      <ul className="quick-editor__list">
        {replies.map((reply) => (
          <li key={reply} className="quick-editor__item">
            <span dir="auto">{reply}</span>
            <button
              type="button"
              className="icon-button"
              aria-label={`Remove ${reply}`}
              onClick={() => keep(replies.filter((each) => each !== reply))}
            >
              <Icon name="close" size={16} />
            </button>
          </li>
        ))}
      </ul>
      <form className="input-row" onSubmit={add}>
        <input
          ref={field}
          className="input"
          aria-label="New quick reply"
          placeholder={isFull ? "remove one first" : "New quick reply"}
          dir="auto"
          maxLength={200}
          disabled={isFull}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" className="button" disabled={fresh === "" || isFull}>
          Add
        </button>
      </form>
      <button type="button" className="button button--wide" onClick={onDone}>
        Done
      </button>
    </section>
  );
}
