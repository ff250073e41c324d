/* What changed inside a line that replaces another: by words, in as many places as there are. Pure. */

/** A part of a line: from, to. */
export type Mark = readonly [from: number, to: number];

/** The marks of a line and of the one that replaces it; nothing when they have too little in common to be the same line. */
export interface WordMarks {
  before: Mark[];
  after: Mark[];
}

/** Longer lines are marked in one piece between what they begin and end with alike: comparing all words takes too long. */
const MOST_PAIRS = 40_000;

export function wordMarks(before: string, after: string): WordMarks | null {
  const [old, fresh] = [wordsOf(before), wordsOf(after)];
  const common = commonWords(old, fresh);
  // Spaces are alike in all lines.
  const length = (words: readonly string[]) => words.join("").replaceAll(/\s/g, "").length;
  const alike = length(common.map(([at]) => old[at] ?? ""));
  if (alike === 0 || alike * 3 < Math.min(length(old), length(fresh))) return null;
  return {
    before: marksOf(old, new Set(common.map(([at]) => at))),
    after: marksOf(fresh, new Set(common.map(([, at]) => at))),
  };
}

function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}\p{M}_]+|\s+|[^]/gu) ?? [];
}

/** The longest sequence of words that both lines have, as pairs of places. */
function commonWords(old: readonly string[], fresh: readonly string[]): [number, number][] {
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++;
  const [oldEnd, freshEnd] = [old.length - tail, fresh.length - tail];
  const pairs: [number, number][] = [];
  for (let at = 0; at < head; at++) pairs.push([at, at]);
  pairs.push(...longestCommon(old.slice(head, oldEnd), fresh.slice(head, freshEnd), head));
  for (let at = 0; at < tail; at++) pairs.push([oldEnd + at, freshEnd + at]);
  return pairs;
}

function longestCommon(old: readonly string[], fresh: readonly string[], shift: number): [number, number][] {
  if (old.length * fresh.length > MOST_PAIRS) return [];
  const width = fresh.length + 1;
  // How many words the rests behind each pair of places have in common.
  const rest = new Uint16Array((old.length + 1) * width);
  const behind = (i: number, j: number) => rest[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = fresh.length - 1; j >= 0; j--) {
      const same = old[i] === fresh[j];
      rest[i * width + j] = same ? behind(i + 1, j + 1) + 1 : Math.max(behind(i + 1, j), behind(i, j + 1));
    }
  }
  const pairs: [number, number][] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < fresh.length) {
    if (old[i] === fresh[j]) pairs.push([shift + i++, shift + j++]);
    else if (behind(i + 1, j) >= behind(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

/** The words that are not common; those with nothing but a space between them are one mark. */
function marksOf(words: readonly string[], common: ReadonlySet<number>): Mark[] {
  const marks: [number, number][] = [];
  let [at, spaceOnly] = [0, false];
  for (const [place, word] of words.entries()) {
    const last = marks.at(-1);
    if (common.has(place)) {
      spaceOnly &&= /^\s+$/.test(word);
    } else if (last && spaceOnly) {
      last[1] = at + word.length;
    } else {
      marks.push([at, at + word.length]);
      spaceOnly = true;
    }
    at += word.length;
  }
  return marks;
}
