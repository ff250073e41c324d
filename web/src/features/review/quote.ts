/* What is sent to a reviewer, and what comes back: text in quotes with words around it. Pure. */

/** Longer than any fence inside it, so that nothing in it ends the quote. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text.trimEnd()}\n${fence}`;
}

export const INSTRUCTION =
  "Please review this critically: say what is wrong or missing, and what you would do instead. Change no files.";

/** The whole message to the reviewer. */
export function requestText(instruction: string, who: string, text: string): string {
  return `${instruction.trim()}\n\n${who} wrote:\n\n${fenced(text)}`;
}

/** The review, quoted for the session it is about. */
export function returnText(who: string, review: string): string {
  const quoted = review
    .trim()
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
  return `${who} reviewed this:\n\n${quoted}\n\nPlease take what is right of it into account.`;
}
