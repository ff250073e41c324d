/* Which characters take two cells of a terminal, so that columns and the cursor stay in step. Pure. */

/** East Asian wide and full-width characters, and pictures that are drawn as such. */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{1F200}-\u{1F2FF}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u;

/** A stretch of text of one width each: narrow ones together, every wide one alone. */
export interface Cells {
  text: string;
  wide: boolean;
}

export function cellsOf(text: string): Cells[] {
  if (!WIDE.test(text)) return [{ text, wide: false }];
  const cells: Cells[] = [];
  for (const character of text) {
    const wide = WIDE.test(character);
    const last = cells.at(-1);
    if (!wide && last && !last.wide) last.text += character;
    else cells.push({ text: character, wide });
  }
  return cells;
}
