/* Markdown. Its reader is a chunk of its own; until it is there the plain text stands in its place. */
import { memo, useDeferredValue, useMemo, useSyncExternalStore } from "react";
import "@/components/markdown.css";

type Render = (text: string) => string;

let render: Render | null = null;
let loading: Promise<void> | null = null;
const listeners = new Set<() => void>();

/** Begins to fetch the reader; called early so that it is there when the first chat opens. */
export function loadMarkdown(): Promise<void> {
  loading ??= import("@/lib/render-markdown").then(
    (module) => {
      render = module.renderMarkdown;
      for (const listener of listeners) listener();
    },
    () => {
      // Offline on the very first visit: tried again with the next text.
      loading = null;
    },
  );
  return loading;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  void loadMarkdown();
  return () => listeners.delete(listener);
}

export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const reader = useSyncExternalStore(subscribe, () => render);
  // While a text streams in, typing and scrolling go before re-reading it.
  const settled = useDeferredValue(text);
  const html = useMemo(() => reader?.(settled), [reader, settled]);
  if (html === undefined) {
    return (
      <div className="prose prose--plain" dir="auto">
        {text}
      </div>
    );
  }
  return <div className="prose" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />;
});
