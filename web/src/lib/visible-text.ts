/*
 * Characters that cannot be seen, that look like an ordinary blank, or that move others around: written as what they are. What a person
 * reads before a yes must be what runs, so nothing in it may be invisible. The table is the server's own. Pure.
 */

/**
 * Control characters but line breaks and tabs, format characters (bidi among them), everything a font may draw as nothing, blanks other
 * than the ordinary one, and tags.
 */
const UNSEEN =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u00A0\u1680\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\u3164\uFEFF\uFFA0\u{E0000}-\u{E007F}]/u;
const EACH = new RegExp(`(${UNSEEN.source})`, "gu");

/** A stretch of text as it is, or the escape of one character that would not be seen. */
export interface TextPart {
  text: string;
  escaped: boolean;
}

/** True when something in the text would not be seen. */
export function hasUnseen(text: string): boolean {
  return UNSEEN.test(text);
}

/** The text in parts, every character that would not be seen as an escape of its own. */
export function visibleParts(text: string): TextPart[] {
  return text
    .split(EACH)
    .map((part, index) =>
      index % 2 === 1 ? { text: escapeOf(part), escaped: true } : { text: part, escaped: false },
    )
    .filter((part) => part.text !== "");
}

/** The same as one string, for places that take no elements: names, labels, announcements. */
export function visibleText(text: string): string {
  return hasUnseen(text) ? text.replace(EACH, escapeOf) : text;
}

function escapeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `⟨U+${code}⟩`;
}
