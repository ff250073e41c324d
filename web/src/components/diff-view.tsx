/* A change, file by file: names, counts, numbered lines, marks inside replaced lines. Long ones unfold on demand. */
import { Fragment, memo, useEffect, useMemo, useState } from "react";
import "@/components/diff-view.css";
import { Visible } from "@/components/visible";
import { countChanges, FIRST_LINES, parseUnifiedDiff, type DiffLine } from "@/lib/unified-diff";
import type { FileDiff } from "@/wire/prompt";

export const DiffView = memo(function DiffView({ files }: { files: FileDiff[] }) {
  return (
    <div className="diffs">
      {files.map((file, index) => (
        <FileDiffView key={`${index} ${file.path}`} file={file} />
      ))}
    </div>
  );
});

function FileDiffView({ file }: { file: FileDiff }) {
  const lines = useMemo(() => parseUnifiedDiff(file.unified), [file.unified]);
  const { added, removed } = useMemo(() => countChanges(lines), [lines]);
  const [count, setCount] = useState(FIRST_LINES);
  const [all, setAll] = useState(false);
  const shown = lines.slice(0, count);

  // A few hundred rows in each frame: the sheet can be scrolled and answered while the rest is drawn.
  useEffect(() => {
    if (!all || count >= lines.length) return;
    const frame = requestAnimationFrame(() => setCount(count + FIRST_LINES));
    return () => cancelAnimationFrame(frame);
  }, [all, count, lines.length]);
  return (
    <figure className="diff">
      <figcaption className="diff__name">
        <span className="mono diff__path exact">
          <Visible text={file.path} />
        </span>
        <span className="tabular small">
          <span className="good">+{added}</span> <span className="bad">−{removed}</span>
        </span>
      </figcaption>
      <div className="diff__scroll">
        {portions(shown).map((portion, index) => (
          <DiffPortion key={index} lines={portion} />
        ))}
      </div>
      {!all && shown.length < lines.length && (
        <button type="button" className="text-button" onClick={() => setAll(true)}>
          show all {lines.length} lines
        </button>
      )}
    </figure>
  );
}

/** What is out of sight is not laid out, and one long table could not be laid out in parts. */
const PORTION = 100;

function portions(lines: DiffLine[]): DiffLine[][] {
  return Array.from({ length: Math.ceil(lines.length / PORTION) }, (_, at) =>
    lines.slice(at * PORTION, (at + 1) * PORTION),
  );
}

/** The lines of a portion never change but for the last one's, which grows. */
const DiffPortion = memo(
  function DiffPortion({ lines }: { lines: DiffLine[] }) {
    return (
      <div className="diff__portion">
        <table className="diff__table">
          <tbody>
            {lines.map((line, index) => (
              <DiffRow key={index} line={line} />
            ))}
          </tbody>
        </table>
      </div>
    );
  },
  (before, after) => before.lines[0] === after.lines[0] && before.lines.length === after.lines.length,
);

const SIGNS = { same: " ", added: "+", removed: "−", gap: "" };

const DiffRow = memo(function DiffRow({ line }: { line: DiffLine }) {
  if (line.kind === "gap") {
    return (
      <tr className="diff__gap">
        <td className="diff__number">⋯</td>
        <td>
          <Visible text={line.text} />
        </td>
      </tr>
    );
  }
  return (
    <tr className={`diff__line--${line.kind}`}>
      <td className="diff__number">{line.newNumber ?? line.oldNumber}</td>
      <td className="diff__text exact">
        {SIGNS[line.kind]} <MarkedText line={line} />
      </td>
    </tr>
  );
});

function MarkedText({ line: { text, marks } }: { line: DiffLine }) {
  return (
    <>
      {marks.map(([from, to], index) => (
        <Fragment key={from}>
          <Visible text={text.slice(marks[index - 1]?.[1] ?? 0, from)} />
          <mark>
            <Visible text={text.slice(from, to)} />
          </mark>
        </Fragment>
      ))}
      <Visible text={text.slice(marks.at(-1)?.[1] ?? 0)} />
    </>
  );
}
