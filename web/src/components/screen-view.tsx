/* A terminal's screen as it is: rows of styled runs and the cursor, scaled so that all columns fit. */
import { memo, useLayoutEffect, useRef, type CSSProperties } from "react";
import { flushSync } from "react-dom";
import "@/components/screen-view.css";
import { usePinch } from "@/lib/pinch";
import { topToShowEnd } from "@/lib/screen-end";
import { cellsOf } from "@/lib/screen-cells";
import { runStyle } from "@/lib/screen-style";
import type { ScreenFrame, ScreenRun } from "@/wire/screen";

interface Props {
  frame: ScreenFrame;
  /** At 1 it is as large as fits, but never too small to be read: what does not fit is scrolled to. */
  zoom?: number;
  onZoom?: (zoom: number) => void;
  /** All columns at once, however small. */
  fit?: boolean;
}

export function ScreenView({ frame, zoom = 1, onZoom, fit = false }: Props) {
  const { cols, rows, lines, cursor } = frame;
  const box = useRef<HTMLDivElement>(null);
  const following = useRef(true);

  // Where not all of it fits, the end is what is being asked; whoever scrolls away from it is left in peace.
  useLayoutEffect(() => {
    const view = box.current;
    if (!view) return;
    const follow = () => {
      if (following.current) view.scrollTop = topFor(frame, view);
    };
    follow();
    // A phone that is turned, or a keyboard that comes up, leaves another height.
    const resized = new ResizeObserver(follow);
    resized.observe(view);
    return () => resized.disconnect();
  }, [frame, zoom, fit]);

  usePinch(box, zoom, ({ zoom: next, at }) => {
    const view = box.current;
    if (!view || !onZoom || next === zoom) return;
    const grow = next / zoom;
    const [left, top] = [(view.scrollLeft + at.x) * grow - at.x, (view.scrollTop + at.y) * grow - at.y];
    following.current = false;
    flushSync(() => onZoom(next));
    view.scrollTo(left, top);
  });

  function onScroll() {
    if (box.current) following.current = box.current.scrollTop >= topFor(frame, box.current) - 1;
  }

  return (
    // Whoever has only a keyboard must be able to scroll it.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={fit ? "screen screen--fit" : "screen"} ref={box} onScroll={onScroll} tabIndex={0}>
      {/* A picture of a terminal is text to the eye and to a screen reader, but not to be spelled out at every change. */}
      <div
        className="screen__grid"
        role="region"
        aria-label="Terminal screen"
        style={{ "--cols": cols, "--rows": rows, "--zoom": zoom } as CSSProperties}
      >
        {lines.map((runs, row) => (
          <ScreenLine key={row} runs={runs} />
        ))}
        {cursor.visible && (
          <span
            className="screen__cursor"
            aria-hidden="true"
            style={{ "--x": cursor.x, "--y": cursor.y } as CSSProperties}
          />
        )}
      </div>
    </div>
  );
}

function topFor(frame: ScreenFrame, { scrollHeight, clientHeight }: Element): number {
  return topToShowEnd(frame, scrollHeight, clientHeight);
}

/** Most rows do not change from frame to frame; comparing them as text spares drawing them. */
const ScreenLine = memo(
  function ScreenLine({ runs }: { runs: ScreenRun[] }) {
    return (
      <div className="screen__line">
        {runs.map((run, index) => {
          const { className, ...style } = runStyle(run);
          return (
            <span key={index} className={className || undefined} style={style}>
              {cellsOf(run.text).map(({ text, wide }, at) =>
                wide ? (
                  <span key={at} className="screen__wide">
                    {text}
                  </span>
                ) : (
                  text
                ),
              )}
            </span>
          );
        })}
      </div>
    );
  },
  (before, after) => JSON.stringify(before.runs) === JSON.stringify(after.runs),
);
