/* A terminal's screen as it is: rows of styled runs and the cursor, scaled so that all columns fit. */
import { memo, useLayoutEffect, useRef, type CSSProperties } from "react";
import "@/components/screen-view.css";
import { topToShowEnd } from "@/lib/screen-end";
import { runStyle } from "@/lib/screen-style";
import type { ScreenFrame, ScreenRun } from "@/wire/screen";

interface Props {
  frame: ScreenFrame;
  /** `fit` shows every column, however small; `zoom` is readable and scrolls sideways. */
  size?: "fit" | "zoom";
}

export function ScreenView({ frame, size = "fit" }: Props) {
  const { cols, rows, lines, cursor } = frame;
  const box = useRef<HTMLDivElement>(null);
  const following = useRef(true);

  // Where not all of it fits, the end is what is being asked; whoever scrolls away from it is left in peace.
  useLayoutEffect(() => {
    if (box.current && following.current) box.current.scrollTop = topFor(frame, box.current);
  }, [frame, size]);

  function onScroll() {
    if (box.current) following.current = box.current.scrollTop >= topFor(frame, box.current) - 1;
  }

  return (
    <div className={`screen screen--${size}`} ref={box} onScroll={onScroll}>
      {/* A picture of a terminal is text to the eye and to a screen reader, but not to be spelled out at every change. */}
      <div
        className="screen__grid"
        role="region"
        aria-label="Terminal screen"
        style={{ "--cols": cols, "--rows": rows } as CSSProperties}
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
              {run.text}
            </span>
          );
        })}
      </div>
    );
  },
  (before, after) => JSON.stringify(before.runs) === JSON.stringify(after.runs),
);
