/*
 * The list as it scrolls. Its box counts from the bottom (`column-reverse`): so the end stays in view by itself while
 * text streams in, and what is put in or turns out higher above the thumb moves nothing. What changes below is made up
 * for by holding the first line that is seen where it is. Browsers' own anchoring is off, because Safari has none.
 */
import { useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { LineElements } from "@/features/chat/line-elements";
import { nextRange, sum, type Range } from "@/features/chat/row-window";
import type { Row } from "@/features/chat/rows";

/** Closer to the end than this, "latest" would lead nowhere. */
const NEAR_PX = 48;
/** What rounding leaves where the browser itself has scrolled to the end. */
const ROUNDING_PX = 1;
/** How many lines are put in at first, before anything could be measured. */
const FIRST_LINES = 24;

/** The lines in the page, by their names: what is put in before or behind them does not move them. */
interface Shown {
  first: string;
  /** Null as long as the end is among them. */
  last: string | null;
}

export interface RowWindow {
  scroller: RefObject<HTMLDivElement | null>;
  list: RefObject<HTMLDivElement | null>;
  /** For the element of each line; its `data-row` is the line's name. */
  watchRow: (element: HTMLElement | null) => (() => void) | undefined;
  range: Range;
  /** The space of the lines that are not in the page. */
  before: number;
  after: number;
  atBottom: boolean;
  onScroll: () => void;
  toBottom: () => void;
  /** Scrolls to a line, as soon as it is in the page. */
  reveal: (key: string) => void;
}

export interface Seen {
  /** How many pixels of what is loaded are above and below what is seen. */
  above: number;
  below: number;
  /** The lines in the page. */
  range: Range;
}

/** `onSeen` is told after every step what is seen now. */
export function useRowWindow(rows: Row[], onSeen: (seen: Seen) => void): RowWindow {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  /** The first line that is seen, and where: from the top of the screen if nothing were scrolled. */
  const anchor = useRef<{ key: string; place: number } | null>(null);
  const wanted = useRef<string | null>(null);
  const [lines] = useState(() => new LineElements());
  const [shown, setShown] = useState<Shown | null>(null);
  const [atBottom, setAtBottom] = useState(true);

  const range = rangeOf(rows, shown);
  const heights = lines.heightsOf(rows);

  /**
   * The first line that is seen goes back to where it was, unless the end is kept to. Asked at every step, before
   * anything else is looked at: a text may have grown just before the finger moved on.
   */
  function hold(box: HTMLElement) {
    const held = anchor.current;
    const element = held && lines.get(held.key);
    if (!held || !element) return;
    const place = element.getBoundingClientRect().top + box.scrollTop;
    const before = box.scrollTop;
    const atEnd = before >= -ROUNDING_PX;
    if (!atEnd) box.scrollTop += place - held.place;
    // Scrolling goes by whole dots of the screen: what is left over is made up for the next time, and never adds up.
    anchor.current = { ...held, place: atEnd ? place : held.place + box.scrollTop - before };
  }

  /** Looks where the list stands now, and puts in the lines that belong there. */
  function look() {
    const box = scroller.current;
    const content = list.current;
    if (!box || !content) return;
    const target = wanted.current === null ? null : lines.get(wanted.current);
    if (target === undefined) return;
    if (target === null) {
      hold(box);
    } else {
      wanted.current = null;
      box.scrollTop += middle(target) - middle(box);
    }
    const edge = box.getBoundingClientRect().top;
    const first = lines.firstBelow(edge);
    if (first?.key !== anchor.current?.key || target !== null) {
      anchor.current = first && { key: first.key, place: first.top + box.scrollTop };
    }
    const top = edge - content.getBoundingClientRect().top;
    const seen = { top, bottom: top + box.clientHeight };
    const next = nextRange(lines.heightsOf(rows), seen, range);
    if (next !== range) setShown(shownOf(rows, next));
    setAtBottom(box.scrollTop > -NEAR_PX);
    onSeen({ above: seen.top, below: content.offsetHeight - seen.bottom, range: next });
  }

  const onChange = useEffectEvent(look);
  useLayoutEffect(() => lines.listen(scroller.current, () => onChange()), [lines]);
  useLayoutEffect(() => onChange(), [rows, shown]);

  function toBottom() {
    wanted.current = null;
    anchor.current = null;
    setShown(null);
    setAtBottom(true);
    if (scroller.current) scroller.current.scrollTop = 0;
  }

  function reveal(key: string) {
    const at = rows.findIndex((row) => row.key === key);
    if (at < 0) return;
    wanted.current = key;
    const half = FIRST_LINES / 2;
    setShown(shownOf(rows, { from: Math.max(0, at - half), to: Math.min(rows.length, at + half) }));
  }

  return {
    scroller,
    list,
    watchRow: lines.watch,
    range,
    before: sum(heights, 0, range.from),
    after: sum(heights, range.to, heights.length),
    atBottom,
    onScroll: look,
    toBottom,
    reveal,
  };
}

function rangeOf(rows: Row[], shown: Shown | null): Range {
  const end = { from: Math.max(0, rows.length - FIRST_LINES), to: rows.length };
  if (!shown) return end;
  const from = rows.findIndex(({ key }) => key === shown.first);
  const to = shown.last === null ? rows.length : rows.findLastIndex(({ key }) => key === shown.last) + 1;
  // When what was seen is no longer loaded there is nothing to hold on to but the end.
  return from < 0 || to <= from ? end : { from, to };
}

function shownOf(rows: Row[], { from, to }: Range): Shown | null {
  const first = rows[from]?.key;
  if (first === undefined) return null;
  return { first, last: to >= rows.length ? null : (rows[to - 1]?.key ?? null) };
}

function middle(element: Element): number {
  const { top, height } = element.getBoundingClientRect();
  return top + height / 2;
}
