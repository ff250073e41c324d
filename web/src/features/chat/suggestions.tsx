/* The list above the composer: tap one, or walk it with the arrow keys. */
import { useEffect, useRef } from "react";
import type { SuggestionList } from "@/features/chat/use-suggestions";

export function Suggestions({ id, suggestions }: { id: string; suggestions: SuggestionList }) {
  const { open, kind, items, active, pick } = suggestions;
  const list = useRef<HTMLDivElement>(null);
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
