/* What the words before the caret ask to be completed: a command of the CLI, or the name of a file. Pure. */

export interface Completion {
  kind: "command" | "file";
  /** What was typed of it, without its sign. */
  query: string;
  /** The part of the text that it replaces, sign and all. */
  from: number;
  to: number;
}

/** A name of a file is not looked for in what is longer than any. */
const LONGEST = 200;

export function completionAt(text: string, caret: number): Completion | null {
  const before = text.slice(0, caret);
  const command = /^\/(\S*)$/.exec(before);
  if (command) return { kind: "command", query: command[1] ?? "", from: 0, to: wordEnd(text, caret) };
  const file = /(?:^|\s)@(\S*)$/.exec(before);
  const query = file?.[1];
  if (query === undefined || query.length > LONGEST) return null;
  return { kind: "file", query, from: caret - query.length - 1, to: wordEnd(text, caret) };
}

/** The text with the chosen one in it, and where the caret then stands. */
export function complete(text: string, { kind, from, to }: Completion, value: string) {
  const sign = kind === "command" ? "/" : "@";
  const rest = text.slice(to);
  const word = `${sign}${value}${/^\s/.test(rest) ? "" : " "}`;
  return { text: text.slice(0, from) + word + rest, caret: from + word.length + (/^\s/.test(rest) ? 1 : 0) };
}

function wordEnd(text: string, caret: number): number {
  const rest = /^\S*/.exec(text.slice(caret));
  return caret + (rest?.[0].length ?? 0);
}
