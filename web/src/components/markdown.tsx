/* Markdown. Its reader is a chunk of its own; until it is there the plain text stands in its place. */
import { memo, startTransition, useDeferredValue, useEffect, useMemo, useState } from "react";
import type * as MarkdownBlocks from "@/components/markdown-blocks";
import "@/components/markdown.css";

type Reader = typeof MarkdownBlocks;

let reader: Reader | null = null;
let loading: Promise<void> | null = null;
const listeners = new Set<() => void>();

/** Begins to fetch the reader; called ahead of time so that it is there when the first chat opens. */
export function loadMarkdown(): Promise<void> {
  loading ??= import("@/components/markdown-blocks").then(
    (module) => {
      reader = module;
      for (const listener of listeners) listener();
    },
    () => {
      // Offline on the very first visit: tried again with the next text.
      loading = null;
    },
  );
  return loading;
}

/** The reader when it is there. A whole chat is read when it comes, and a sheet that rises meanwhile goes before that. */
function useReader(): Reader | null {
  const [loaded, setLoaded] = useState(() => reader);
  useEffect(() => {
    const take = () => startTransition(() => setLoaded(reader));
    listeners.add(take);
    void loadMarkdown().then(take);
    return () => void listeners.delete(take);
  }, []);
  return loaded;
}

interface Props {
  text: string;
  /** Whether every word is read before an answer, also those that Markdown does not draw. */
  exact?: boolean;
}

export const Markdown = memo(function Markdown({ text, exact = false }: Props) {
  const loaded = useReader();
  // While a text streams in, typing and scrolling go before re-reading it.
  const settled = useDeferredValue(text);
  const blocks = useMemo(() => loaded?.readBlocks(settled, exact), [loaded, settled, exact]);
  if (!loaded || !blocks) {
    return (
      <div className="prose prose--plain" dir="auto">
        {text}
      </div>
    );
  }
  return (
    <div className="prose">
      {blocks.map((token, index) => (
        <loaded.Block key={index} token={token} />
      ))}
    </div>
  );
});
