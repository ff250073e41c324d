/* Code in a text: a button that copies it, and colours, which are fetched only when code in a known language comes into view. */
import { useEffect, useRef, useState, type ReactNode } from "react";
import { Icon } from "@/components/icon";
import type { Coloured } from "@/lib/highlight";

/** Longer code is read without colours: reading it would hold up the scrolling. */
const COLOUR_LIMIT = 20_000;
/** Code that still streams in is coloured when it rests. */
const REST_MS = 150;
/** How long "copied" is said. */
const SAID_MS = 2_000;

export function CodeBlock({ text, language }: { text: string; language: string }) {
  const box = useRef<HTMLDivElement>(null);
  const pre = useRef<HTMLPreElement>(null);
  const [coloured, setColoured] = useState<{ text: string; parts: Coloured[] } | null>(null);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function colour() {
      // Whoever has only a keyboard must be able to scroll it.
      if (pre.current && pre.current.scrollWidth > pre.current.clientWidth) pre.current.tabIndex = 0;
      if (language === "" || text.length > COLOUR_LIMIT) return;
      try {
        const { highlight } = await import("@/lib/highlight");
        const parts = await highlight(text, language);
        if (!over && parts) setColoured({ text, parts });
      } catch {
        // Offline before the colours were ever fetched: black on white is fine.
      }
    }
    const seen = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      seen.disconnect();
      timer = setTimeout(() => void colour(), REST_MS);
    });
    seen.observe(element);
    return () => {
      over = true;
      clearTimeout(timer);
      seen.disconnect();
    };
  }, [text, language]);

  // What is coloured stays so while more comes behind it.
  const known = coloured && text.startsWith(coloured.text) ? coloured : null;
  return (
    <div data-code={language} ref={box}>
      <pre ref={pre}>
        <code>
          {known && known.parts.map(part)}
          {known ? text.slice(known.text.length) : text}
        </code>
      </pre>
      <CopyCode text={text} />
    </div>
  );
}

function part(coloured: Coloured, key: number): ReactNode {
  if (typeof coloured === "string") return coloured;
  return (
    <span key={key} className={coloured.className}>
      {coloured.parts.map(part)}
    </span>
  );
}

function CopyCode({ text }: { text: string }) {
  const [said, setSaid] = useState<"Copied" | "Select it by hand" | null>(null);
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => setSaid(null), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      // Without https there is no clipboard at all; the text is selectable.
      setSaid("Select it by hand");
    }
  }

  return (
    <button
      type="button"
      className="code-copy"
      aria-label={said ?? "Copy the code"}
      onClick={() => void copy()}
    >
      <Icon name={said === "Copied" ? "check" : "copy"} size={16} />
    </button>
  );
}
