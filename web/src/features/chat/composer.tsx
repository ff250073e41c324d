/* Where a message is written. The text stays until the server has taken it, whatever happens on the way. */
import { useLayoutEffect, useRef, type KeyboardEvent } from "react";
import { Icon } from "@/components/icon";
import { SendRefused } from "@/features/chat/send-refused";
import { TOUCH, useMedia } from "@/lib/media";
import { useAppState, useDispatch, useVerbs } from "@/state/app-context";
import type { Session } from "@/wire/session";

export function Composer({ session }: { session: Session }) {
  const { id } = session;
  const draft = useAppState((state) => state.drafts[id] ?? "");
  const sending = useAppState((state) => state.sending[id]);
  const enter = useAppState((state) => state.preferences.enter);
  const touch = useMedia(TOUCH);
  const field = useRef<HTMLTextAreaElement>(null);
  const dispatch = useDispatch();
  const { sendText, tryTo } = useVerbs();

  const busy = session.state.type === "busy";
  const under = sending?.type === "sending";
  const ready = draft.trim() !== "" && !under;
  const enterSends = enter === "send" || (enter === "auto" && !touch);

  // Grows with its text; the style sheet stops it at a third of the screen.
  useLayoutEffect(() => {
    const box = field.current;
    if (!box) return;
    box.style.height = "auto";
    box.style.height = `${box.scrollHeight + 2}px`;
  }, [draft]);

  function send() {
    if (ready) void sendText(id, draft);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter" || event.nativeEvent.isComposing || event.shiftKey) return;
    if (!enterSends && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    send();
  }

  return (
    <div className="composer">
      {sending?.type === "refused" && <SendRefused session={session} refused={sending} />}
      <div className="composer__row">
        <textarea
          ref={field}
          className="input composer__field"
          aria-label="Message"
          placeholder="Message"
          rows={1}
          dir="auto"
          value={draft}
          readOnly={under}
          enterKeyHint={enterSends ? "send" : "enter"}
          onChange={(event) => dispatch({ type: "draft", sessionId: id, text: event.target.value })}
          onKeyDown={onKeyDown}
        />
        {busy && (
          <button
            type="button"
            className="icon-button composer__stop"
            aria-label="Stop"
            onClick={() => void tryTo({ type: "interrupt", sessionId: id })}
          >
            <Icon name="stop" />
          </button>
        )}
        {(!busy || ready || under) && (
          <button
            type="button"
            className="icon-button composer__send"
            aria-label="Send"
            disabled={!ready}
            onClick={send}
          >
            <Icon name="send" />
          </button>
        )}
      </div>
      {under && (
        <p className="composer__note dim small" role="status">
          sending…
        </p>
      )}
    </div>
  );
}
