/* Whether something has all the words that were typed. Pure. */
import type { Session } from "@/wire/session";

export function hasWords(texts: string[], query: string): boolean {
  const text = texts.join(" ").toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export function sessionHasWords({ name, folder, lastLine, adapter }: Session, query: string): boolean {
  return hasWords([name, folder, lastLine, adapter], query);
}
