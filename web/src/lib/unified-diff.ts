/* Reads the hunks of a unified diff into numbered lines, and marks what changed inside a replaced line. Pure. */

export type DiffLineKind = "same" | "added" | "removed" | "gap";

export interface DiffLine {
  kind: DiffLineKind;
  text: string;
  oldNumber: number | null;
  newNumber: number | null;
  /** The part of `text` that differs from the line it replaces or is replaced by: from, to. */
  mark: [number, number] | null;
}

export interface DiffCounts {
  added: number;
  removed: number;
}

export function parseUnifiedDiff(unified: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let oldNumber = 1;
  let newNumber = 1;
  for (const raw of unified.replace(/\n$/, "").split("\n")) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/.exec(raw);
    if (hunk) {
      oldNumber = Number(hunk[1]);
      newNumber = Number(hunk[2]);
      lines.push({ kind: "gap", text: hunk[3] ?? "", oldNumber: null, newNumber: null, mark: null });
      continue;
    }
    const text = raw.slice(1);
    if (raw.startsWith("+")) {
      lines.push({ kind: "added", text, oldNumber: null, newNumber: newNumber++, mark: null });
    } else if (raw.startsWith("-")) {
      lines.push({ kind: "removed", text, oldNumber: oldNumber++, newNumber: null, mark: null });
    } else if (!raw.startsWith("\\")) {
      // "\ No newline at end of file" is no line of the file.
      lines.push({ kind: "same", text, oldNumber: oldNumber++, newNumber: newNumber++, mark: null });
    }
  }
  markReplacedLines(lines);
  return lines;
}

export function countChanges(lines: readonly DiffLine[]): DiffCounts {
  return {
    added: lines.filter(({ kind }) => kind === "added").length,
    removed: lines.filter(({ kind }) => kind === "removed").length,
  };
}

/** A block of removed lines followed by as many added ones is a replacement, line by line. */
function markReplacedLines(lines: DiffLine[]) {
  let at = 0;
  while (at < lines.length) {
    const removed = runOf(lines, at, "removed");
    const added = runOf(lines, at + removed, "added");
    if (removed > 0 && removed === added) {
      for (let offset = 0; offset < removed; offset++) {
        const before = lines[at + offset];
        const after = lines[at + removed + offset];
        if (before && after) [before.mark, after.mark] = differingParts(before.text, after.text);
      }
    }
    at += Math.max(1, removed + added);
  }
}

function runOf(lines: readonly DiffLine[], from: number, kind: DiffLineKind): number {
  let length = 0;
  while (lines[from + length]?.kind === kind) length++;
  return length;
}

type Mark = DiffLine["mark"];

/** What lies between the common beginning and the common end; nothing when the lines have little in common. */
function differingParts(before: string, after: string): [Mark, Mark] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const common = head + tail;
  if (common * 3 < shorter || common === 0) return [null, null];
  return [
    [head, before.length - tail],
    [head, after.length - tail],
  ];
}
