/* Whether something has all the words that were typed. Pure. */
import { adapterName } from "@/words/adapter-names";
import type { Session } from "@/wire/session";

export function hasWords(texts: string[], query: string): boolean {
  const text = texts.join(" ").toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export function sessionHasWords({ name, folder, lastLine, adapter }: Session, query: string): boolean {
  return hasWords([name, folder, lastLine, adapterName(adapter)], query);
}
