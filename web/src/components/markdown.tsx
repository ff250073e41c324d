/* Markdown. Its reader is a chunk of its own; until it is there the plain text stands in its place. */
import {
  memo,
  startTransition,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import "@/components/markdown.css";

interface Reader {
  renderBlocks: (text: string) => string[];
  dressCode: (root: HTMLElement) => () => void;
}

let reader: Reader | null = null;
let loading: Promise<void> | null = null;
const listeners = new Set<() => void>();

/** Begins to fetch the reader; called ahead of time so that it is there when the first chat opens. */
export function loadMarkdown(): Promise<void> {
  loading ??= Promise.all([import("@/lib/render-markdown"), import("@/lib/dress-code")]).then(
    ([{ renderBlocks }, { dressCode }]) => {
      reader = { renderBlocks, dressCode };
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

export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const loaded = useReader();
  // While a text streams in, typing and scrolling go before re-reading it.
  const settled = useDeferredValue(text);
  const blocks = useMemo(() => loaded?.renderBlocks(settled), [loaded, settled]);
  if (!loaded || !blocks) {
    return (
      <div className="prose prose--plain" dir="auto">
        {text}
      </div>
    );
  }
  return (
    <div className="prose">
      {blocks.map((html, index) => (
        <Block key={index} html={html} dressCode={loaded.dressCode} />
      ))}
    </div>
  );
});

/** One block: the others stay as they are while the last one grows. */
const Block = memo(function Block({ html, dressCode }: { html: string } & Pick<Reader, "dressCode">) {
  const element = useRef<HTMLDivElement>(null);
  const inner = useMemo(() => ({ __html: html }), [html]);
  useLayoutEffect(() => (element.current ? dressCode(element.current) : undefined), [inner, dressCode]);
  // Each block has a direction of its own: one of them may quote another script.
  return <div className="prose__block" dir="auto" ref={element} dangerouslySetInnerHTML={inner} />;
});
