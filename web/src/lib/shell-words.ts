/* A command line as words and back, the way a shell does for quotes and backslashes; expands nothing. */

export type ShellWords = { ok: true; words: string[] } | { ok: false; reason: string };

export function splitShellWords(line: string): ShellWords {
  const words: string[] = [];
  let word: string | null = null;
  let quote: "'" | '"' | null = null;

  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at);
    if (quote === "'") {
      if (char === "'") quote = null;
      else word = (word ?? "") + char;
    } else if (char === "\\") {
      const next = line.charAt(++at);
      if (next === "") return { ok: false, reason: "The command ends in a backslash." };
      // Within double quotes a backslash only escapes what would mean something there.
      const kept = quote === '"' && !'"\\$`'.includes(next) ? "\\" : "";
      word = (word ?? "") + kept + next;
    } else if (quote === '"') {
      if (char === '"') quote = null;
      else word = (word ?? "") + char;
    } else if (char === "'" || char === '"') {
      quote = char;
      word ??= "";
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = (word ?? "") + char;
    }
  }

  if (quote) return { ok: false, reason: `A ${quote} is not closed.` };
  if (word !== null) words.push(word);
  return { ok: true, words };
}

/** Words as one line that splits into the same words again: what is one word is seen to be one. */
export function joinShellWords(words: string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word))).join(" ");
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
