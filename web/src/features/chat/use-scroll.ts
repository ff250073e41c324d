/*
 * How the list scrolls: it stays at the bottom while the person is there, holds what they read when something is
 * put in above it, and never jumps. Browsers' own scroll anchoring is off, because Safari has none.
 */
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type RefObject,
} from "react";
import { staysAtEnd } from "@/features/chat/at-end";

/** Closer to the top than this the next page is fetched, so that it is there when the thumb arrives. */
const TOP_PX = 600;

interface Scroll {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  atBottom: boolean;
  onScroll: () => void;
  toBottom: () => void;
}

interface Edges {
  onTop: () => void;
  onBottom: () => void;
}

/** `layout` changes whenever messages were put in or taken out. */
export function useScroll(layout: unknown, { onTop, onBottom }: Edges): Scroll {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const stuck = useRef(true);
  const lastTop = useRef(0);
  const anchor = useRef<{ element: Element; top: number } | null>(null);
  const [atBottom, setAtBottom] = useState(true);

  const stick = useCallback(() => {
    const box = scroller.current;
    if (!box || !stuck.current) return;
    box.scrollTop = box.scrollHeight;
    // What the browser pushed up because the content shrank is not the person's way up.
    lastTop.current = box.scrollTop;
  }, []);

  // Text that streams in, a tool card that opens, a keyboard that comes up: the end stays in view.
  useEffect(() => {
    const observer = new ResizeObserver(stick);
    if (content.current) observer.observe(content.current);
    if (scroller.current) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, [stick]);

  // A page that came in while the thumb rests at the top: there may be more to show.
  const reachedTop = useEffectEvent(onTop);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    if (stuck.current) {
      stick();
      return;
    }
    const held = anchor.current;
    if (held?.element.isConnected) box.scrollTop += held.element.getBoundingClientRect().top - held.top;
    if (box.scrollTop < TOP_PX) reachedTop();
  }, [layout, stick]);

  function onScroll() {
    const box = scroller.current;
    if (!box) return;
    const left = box.scrollHeight - box.scrollTop - box.clientHeight;
    const wentUp = box.scrollTop < lastTop.current;
    lastTop.current = box.scrollTop;
    stuck.current = staysAtEnd({ stuck: stuck.current, wentUp, left });
    setAtBottom(stuck.current);
    anchor.current = firstVisible(box, content.current);
    if (box.scrollTop < TOP_PX) onTop();
    if (left < TOP_PX) onBottom();
  }

  function toBottom() {
    stuck.current = true;
    setAtBottom(true);
    stick();
  }

  return { scroller, content, atBottom, onScroll, toBottom };
}

/** The first message that can be seen; the words above all messages stay where they are, so they hold nothing. */
function firstVisible(box: Element, content: Element | null): { element: Element; top: number } | null {
  const edge = box.getBoundingClientRect().top;
  for (const element of content?.children ?? []) {
    const { top, bottom } = element.getBoundingClientRect();
    if (bottom > edge && !element.matches(".messages__edge")) return { element, top };
  }
  return null;
}
