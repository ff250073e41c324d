/* The list above the composer: tap one, or walk it with the arrow keys. A chunk of its own, fetched with the first / or @. */
import { useEffect, useImperativeHandle, useRef, type Ref } from "react";
import "@/features/chat/suggestions.css";
import { useSuggestions, type SuggestionKeys } from "@/features/chat/use-suggestions";
import type { SessionId } from "@/wire/session";

interface Props {
  id: string;
  sessionId: SessionId;
  text: string;
  caret: number;
  write: (text: string, caret: number) => void;
  /** The composer's keys are for the list first. */
  keys: Ref<SuggestionKeys>;
  /** Tells which entry is marked; none when the list is shut. */
  onActive: (entry: number | null) => void;
}

export function Suggestions({ id, sessionId, text, caret, write, keys, onActive }: Props) {
  const { open, kind, items, active, pick, onKey } = useSuggestions(sessionId, text, caret, write);
  const list = useRef<HTMLDivElement>(null);
  useImperativeHandle(keys, () => ({ onKey }));
  useEffect(() => onActive(open ? active : null), [onActive, open, active]);
  useEffect(() => () => onActive(null), [onActive]);
  useEffect(() => list.current?.children[active]?.scrollIntoView({ block: "nearest" }), [active]);
  if (!open) return null;
  return (
    <div ref={list} id={id} className="suggestions" role="listbox" aria-label={WORDS[kind]}>
      {items.map(({ value, label, detail }, at) => (
        <button
          type="button"
          tabIndex={-1}
          key={value}
          id={`${id}-${at}`}
          className={at === active ? "suggestions__item suggestions__item--active" : "suggestions__item"}
          role="option"
          aria-selected={at === active}
          // The field keeps the focus, and a phone its keyboard.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => pick(at)}
        >
          <span className="suggestions__name mono" dir="ltr">
            {label}
          </span>
          <span className="suggestions__detail small dim">{detail}</span>
        </button>
      ))}
    </div>
  );
}

const WORDS = { command: "Commands", file: "Files" } as const;
