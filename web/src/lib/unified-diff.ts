/* Reads the hunks of a unified diff into numbered lines, and marks what changed inside a replaced line. Pure. */
import { wordMarks, type Mark } from "@/lib/word-marks";

export type DiffLineKind = "same" | "added" | "removed" | "gap";

export interface DiffLine {
  kind: DiffLineKind;
  text: string;
  oldNumber: number | null;
  newNumber: number | null;
  /** The parts of `text` that differ from the line it replaces or is replaced by. */
  marks: Mark[];
}

export interface DiffCounts {
  added: number;
  removed: number;
}

/** How many lines of a file's change are drawn at first: one of 3,000 lines must not hold up the buttons below it. */
export const FIRST_LINES = 200;

/** True when not all of a change is drawn at first. */
export function isFolded(unified: string): boolean {
  return unified.replace(/\n$/, "").split("\n").length > FIRST_LINES;
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
      lines.push({ kind: "gap", text: hunk[3] ?? "", oldNumber: null, newNumber: null, marks: [] });
      continue;
    }
    const text = raw.slice(1);
    if (raw.startsWith("+")) {
      lines.push({ kind: "added", text, oldNumber: null, newNumber: newNumber++, marks: [] });
    } else if (raw.startsWith("-")) {
      lines.push({ kind: "removed", text, oldNumber: oldNumber++, newNumber: null, marks: [] });
    } else if (!raw.startsWith("\\")) {
      // "\ No newline at end of file" is no line of the file.
      lines.push({ kind: "same", text, oldNumber: oldNumber++, newNumber: newNumber++, marks: [] });
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

/** Blocks longer than this are mostly something else, not the same lines changed. */
const LONGEST_BLOCK = 60;

/** In a block of removed lines followed by added ones, each may be replaced by a similar one, in the same order. */
function markReplacedLines(lines: DiffLine[]) {
  let at = 0;
  while (at < lines.length) {
    const removed = runOf(lines, at, "removed");
    const added = runOf(lines, at + removed, "added");
    const middle = at + removed;
    // As many lines as before: then each replaces its counterpart, and no other.
    if (removed === added) {
      for (let offset = 0; offset < removed; offset++) markPair(lines[at + offset], lines[middle + offset]);
    } else if (removed + added <= LONGEST_BLOCK) {
      markSimilar(lines.slice(at, middle), lines.slice(middle, middle + added));
    }
    at += Math.max(1, removed + added);
  }
}

function markSimilar(removed: readonly DiffLine[], added: readonly DiffLine[]) {
  let from = 0;
  for (const before of removed) {
    const offset = added.slice(from).findIndex((after) => markPair(before, after));
    if (offset >= 0) from += offset + 1;
  }
}

function markPair(before: DiffLine | undefined, after: DiffLine | undefined): boolean {
  const found = before && after ? wordMarks(before.text, after.text) : null;
  if (!before || !after || !found) return false;
  before.marks = found.before;
  after.marks = found.after;
  return true;
}

function runOf(lines: readonly DiffLine[], from: number, kind: DiffLineKind): number {
  let length = 0;
  while (lines[from + length]?.kind === kind) length++;
  return length;
}
