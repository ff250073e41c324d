/* Where a message is written. What stands here survives reloads; what is sent goes through the outbox. */
import { lazy, Suspense, useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import { Icon } from "@/components/icon";
import { AttachMenu } from "@/features/chat/attach-menu";
import { AttachedFiles } from "@/features/chat/attached-files";
import "@/features/chat/composer.css";
import { QuickReplies } from "@/features/chat/quick-replies";
import { SendRefused } from "@/features/chat/send-refused";
import { useAttachments } from "@/features/chat/use-attachments";
import type { SuggestionKeys } from "@/features/chat/use-suggestions";
import { canDictate } from "@/lib/can-dictate";
import { completionAt } from "@/lib/completion";
import { TOUCH, useMedia } from "@/lib/media";
import { useAppState, useDispatch, useVerbs } from "@/state/app-context";
import type { Session } from "@/wire/session";

/* Where it does not come, one can still type. */
const Suggestions = lazy(() =>
  import("@/features/chat/suggestions").then(
    (module) => ({ default: module.Suggestions }),
    () => ({ default: () => null }),
  ),
);

const Dictation = lazy(async () => ({ default: (await import("@/features/chat/dictation")).Dictation }));

const LIST_ID = "composer-suggestions";

export function Composer({ session }: { session: Session }) {
  const { id } = session;
  const draft = useAppState((state) => state.drafts[id] ?? "");
  const refused = useAppState((state) => state.refused[id]);
  const enter = useAppState((state) => state.preferences.enter);
  const touch = useMedia(TOUCH);
  const field = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(draft.length);
  const dispatch = useDispatch();
  const { sendText, tryTo } = useVerbs();
  const attachments = useAttachments(id);
  const suggestions = useRef<SuggestionKeys>(null);
  const [dictating, setDictating] = useState(false);
  const [suggested, setSuggested] = useState<number | null>(null);

  const busy = session.state.type === "busy";
  const ready = (draft.trim() !== "" || attachments.files.length > 0) && !attachments.uploading;
  const enterSends = enter === "send" || (enter === "auto" && !touch);

  // Grows with its text; the style sheet stops it at a third of the screen.
  useLayoutEffect(() => {
    const box = field.current;
    if (!box) return;
    let width = 0;
    function fit() {
      if (!box) return;
      width = box.clientWidth;
      box.style.height = "auto";
      box.style.height = `${box.scrollHeight + 2}px`;
    }
    fit();
    // A phone that is turned breaks the lines elsewhere.
    const resized = new ResizeObserver(() => box.clientWidth !== width && fit());
    resized.observe(box);
    return () => resized.disconnect();
  }, [draft]);

  function write(text: string, at: number) {
    dispatch({ type: "draft", sessionId: id, text });
    setCaret(at);
    // The field has its new text only after it was rendered.
    requestAnimationFrame(() => field.current?.setSelectionRange(at, at));
    field.current?.focus();
  }

  function send() {
    if (!ready) return;
    setDictating(false);
    sendText(id, draft, attachments.files);
    setCaret(0);
  }

  function onKeyDown(event: KeyboardEvent) {
    // Safari ends a composition before the Enter that ends it; only the old code tells.
    if (event.nativeEvent.isComposing || (event.nativeEvent as { keyCode?: number }).keyCode === 229) return;
    if (suggestions.current?.onKey(event.key)) {
      event.preventDefault();
      return;
    }
    if (event.key !== "Enter" || event.shiftKey) return;
    if (!enterSends && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    send();
  }

  return (
    <div className="composer" {...attachments.drop}>
      {refused && <SendRefused session={session} refused={refused} />}
      {completionAt(draft, caret) && (
        <Suspense>
          <Suggestions
            id={LIST_ID}
            sessionId={id}
            text={draft}
            caret={caret}
            write={write}
            keys={suggestions}
            onActive={setSuggested}
          />
        </Suspense>
      )}
      <AttachedFiles sessionId={id} attachments={attachments} />
      {dictating && (
        <Suspense>
          <Dictation
            text={draft}
            onText={(text) => dispatch({ type: "draft", sessionId: id, text })}
            onEnd={() => setDictating(false)}
          />
        </Suspense>
      )}
      {session.hasMessages && <QuickReplies session={session} />}
      <div className="composer__row">
        <AttachMenu onChoose={attachments.add} />
        <div className="composer__box">
          <textarea
            ref={field}
            className="input composer__field"
            aria-label="Message"
            aria-autocomplete="list"
            aria-controls={suggested === null ? undefined : LIST_ID}
            aria-activedescendant={suggested === null ? undefined : `${LIST_ID}-${suggested}`}
            placeholder={busy ? "Message, to be queued" : "Message"}
            rows={1}
            dir="auto"
            value={draft}
            enterKeyHint={enterSends ? "send" : "enter"}
            onChange={({ target }) => {
              dispatch({ type: "draft", sessionId: id, text: target.value });
              setCaret(target.selectionStart);
            }}
            onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
            onKeyDown={onKeyDown}
            onPaste={attachments.onPaste}
          />
          {canDictate() && (draft === "" || dictating) && (
            <button
              type="button"
              className="icon-button composer__mic"
              aria-label="Dictate"
              aria-pressed={dictating}
              onClick={() => setDictating(!dictating)}
            >
              <Icon name="mic" />
            </button>
          )}
        </div>
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
        {(!busy || ready) && (
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
    </div>
  );
}
