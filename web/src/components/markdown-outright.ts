/*
 * Markdown of which every word is read: a plan that is approved. Where a block would draw less than it says, its text stands there as it
 * was written. Pure.
 */
import type { Token, Tokens } from "marked";
import { decoded, languageOf } from "@/components/markdown-words";

/** The blocks of a text, none of which says more than it draws. */
export function outright(text: string, tokens: Token[]): Token[] {
  const blocks = tokens.map(block);
  // A net below all that: whatever else Markdown leaves out.
  return letters(blocks.map(drawn).join("")) === letters(text) ? blocks : [asWritten(text)];
}

function asWritten(raw: string): Token {
  return { type: "outright", raw };
}

function block(token: Token): Token {
  switch (token.type) {
    case "list": {
      const { items, ...list } = token as Tokens.List;
      return { ...list, items: items.map((item) => ({ ...item, tokens: item.tokens.map(block) })) };
    }
    case "blockquote":
      return { ...token, tokens: (token as Tokens.Blockquote).tokens.map(block) };
    case "checkbox":
      return token;
    default:
      return letters(drawn(token)) === letters(token.raw) && !hidesAddress(token)
        ? token
        : asWritten(token.raw);
  }
}

/** An address may be made of signs alone. */
function hidesAddress(token: Token): boolean {
  const { type, raw, text, tokens } = token as Tokens.Generic & { text?: string };
  if (type === "def" || type === "image") return true;
  if (type === "link") return raw !== text && raw !== `<${text}>`;
  return (tokens ?? []).some(hidesAddress);
}

/** The words that a token draws. */
function drawn(given: Token): string {
  const token = given as Tokens.Generic & { type: string };
  const all = (tokens: Token[] | undefined) => (tokens ?? []).map(drawn).join("");
  switch (token.type) {
    case "space":
    case "def":
    case "hr":
    case "br":
      return "";
    case "list":
      return (given as Tokens.List).items
        .map(
          (item) => (/^\s*(?:[-*+]|\d+[.)])(?:\s+\[[ xX]\])?/.exec(item.raw)?.[0] ?? "") + all(item.tokens),
        )
        .join("");
    case "table": {
      const { header, rows } = given as Tokens.Table;
      return [header, ...rows]
        .flat()
        .map((cell) => all(cell.tokens))
        .join("");
    }
    case "code":
      return languageOf(token.lang) + String(token.text);
    case "checkbox":
      // It is part of how its item begins.
      return "";
    case "html":
    case "outright":
      return token.raw;
    case "codespan":
    case "escape":
    case "image":
      return String(token.text);
    default:
      return token.tokens ? all(token.tokens) : decoded(String(token.text ?? token.raw));
  }
}

/** What carries meaning, without the signs that Markdown itself is written with. */
function letters(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}
