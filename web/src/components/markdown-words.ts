/* Words inside Markdown. Pure. */

/** A plain word or nothing: it becomes an attribute, and the name of what colours it. */
export function languageOf(lang: unknown): string {
  return typeof lang === "string" ? (/^[\w+#-]{1,20}/.exec(lang)?.[0].toLowerCase() ?? "") : "";
}

const ENTITIES: Partial<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** The few entities that people write; in text they mean their character. */
export function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,6})|([a-z]{2,4}));/g, (whole, code: string | undefined, name: string) =>
    code === undefined ? (ENTITIES[name] ?? whole) : String.fromCodePoint(Number(code)),
  );
}
