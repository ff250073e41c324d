/* What can be done with an answer, behind one small button: copy it, quote it in the next message, have it reviewed. */
import { useEffect, useRef, useState } from "react";
import { CopyButton } from "@/components/copy-button";
import { Icon } from "@/components/icon";
import { ReviewAction } from "@/components/review-slot";
import { useAppState, useDispatch } from "@/state/app-context";
import type { SessionId } from "@/wire/session";

/** How much room the menu takes below its button. */
const ROOM_PX = 64;

/** Under the last answer there is no room below. */
function directionOf(box: HTMLElement | null): "down" | "up" {
  const end = box?.closest(".messages__scroll")?.getBoundingClientRect().bottom ?? Infinity;
  return box && box.getBoundingClientRect().bottom + ROOM_PX > end ? "up" : "down";
}

export function MessageMenu({ sessionId, text }: { sessionId: SessionId; text: string }) {
  const [open, setOpen] = useState<"no" | "down" | "up">("no");
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (open === "no") return;
    function elsewhere({ target }: Event) {
      if (!box.current?.contains(target as Node)) setOpen("no");
    }
    function onKey({ key }: KeyboardEvent) {
      if (key === "Escape") setOpen("no");
    }
    addEventListener("pointerdown", elsewhere);
    addEventListener("keydown", onKey);
    return () => {
      removeEventListener("pointerdown", elsewhere);
      removeEventListener("keydown", onKey);
    };
  }, [open]);

  return (
    <div className="message-menu" ref={box}>
      <button
        type="button"
        className="message-menu__button"
        aria-label="Message menu"
        aria-expanded={open !== "no"}
        onClick={() => setOpen(open === "no" ? directionOf(box.current) : "no")}
      >
        <Icon name="more" size={18} />
      </button>
      {open !== "no" && (
        <div className={`message-menu__items message-menu__items--${open}`} role="group" aria-label="Message">
          <CopyButton text={text} label="Copy the message" />
          <QuoteButton sessionId={sessionId} text={text} onDone={() => setOpen("no")} />
          <ReviewAction sessionId={sessionId} subject={text} text={text} />
        </div>
      )}
    </div>
  );
}

interface QuoteProps {
  sessionId: SessionId;
  text: string;
  onDone: () => void;
}

function QuoteButton({ sessionId, text, onDone }: QuoteProps) {
  const draft = useAppState((state) => state.drafts[sessionId] ?? "");
  const dispatch = useDispatch();

  function quote() {
    const quoted = text.trim().replace(/^/gm, "> ");
    dispatch({ type: "draft", sessionId, text: `${draft === "" ? "" : `${draft}\n\n`}${quoted}\n\n` });
    onDone();
  }

  return (
    <button type="button" className="text-button" onClick={quote}>
      quote
    </button>
  );
}
