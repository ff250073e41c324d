/*
 * Characters that cannot be seen, that look like an ordinary blank, or that move others around: written as what they are. What a person
 * reads before a yes must be what runs, so nothing in it may be invisible. The table is the server's own, and so are the rules
 * (`shared-types/src/visible.rs`). And letters of another script that pass for Latin ones, where they stand among Latin ones. Pure.
 */
import { UNSEEN } from "@/wire/visible";

const NO_BREAK_SPACE = "\u00A0";
const JOINER = "\u200D";
const EMOJI_STYLE = "\uFE0F";
const TEXT_STYLE = "\uFE0E";

/** Everything that may have to be escaped: the others are passed over without a closer look. */
const CANDIDATE = new RegExp(
  `[${UNSEEN.map(([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`).join("")}${NO_BREAK_SPACE}]`,
  "u",
);
const EACH = new RegExp(CANDIDATE.source, "gu");

/** Cyrillic, Greek and some more that no eye tells from Latin ones; the rules know the same (`server/rules/src/characters.rs`). */
const LOOK_ALIKE = /[аеорсухіјѕһԁԛԝѵАВЕКМНОРСТХУІЈЅҮԌԚԜοναικρτυχωΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϳɑɡɩıցհոսքօᏀᎪᎬᎳᏃᏢᏚ]/u;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** A stretch of text as it is, or the escape of one character that would not be seen. */
export interface TextPart {
  text: string;
  escaped: boolean;
}

/** True when something in the text would not be seen. */
export function hasUnseen(text: string): boolean {
  return (CANDIDATE.test(text) || LOOK_ALIKE.test(text)) && places(text).length > 0;
}

/** The text in parts, every character that would not be seen as an escape of its own. */
export function visibleParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { at, character } of places(text)) {
    if (at > from) parts.push({ text: text.slice(from, at), escaped: false });
    parts.push({ text: escapeOf(character), escaped: true });
    from = at + character.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), escaped: false });
  return parts;
}

/** The same as one string, for places that take no elements: names, labels, announcements. */
export function visibleText(text: string): string {
  return hasUnseen(text)
    ? visibleParts(text)
        .map(({ text: part }) => part)
        .join("")
    : text;
}

interface Place {
  at: number;
  character: string;
}

/** Where the characters are that would not be seen, or not be taken for what they are. */
function places(text: string): Place[] {
  const hidden = [...text.matchAll(EACH)]
    .map(({ 0: character, index }) => ({ at: index, character }))
    .filter(({ at, character }) => isHidden(text, at, character));
  const pretending = pretenders(text);
  if (pretending.length === 0) return hidden;
  return [...hidden, ...pretending].sort((one, other) => one.at - other.at);
}

/** A word of another script is a word; one that mixes it with Latin pretends to be Latin. */
function pretenders(text: string): Place[] {
  if (!LOOK_ALIKE.test(text)) return [];
  return [...text.matchAll(WORD)]
    .filter(({ 0: word }) => /[A-Za-z]/.test(word))
    .flatMap(({ 0: word, index }) =>
      [...word.matchAll(new RegExp(LOOK_ALIKE.source, "gu"))].map(({ 0: character, index: within }) => ({
        at: index + within,
        character,
      })),
    );
}

/** Line breaks and tabs stay, and so does what people and emoji are written with. */
function isHidden(text: string, at: number, character: string): boolean {
  const next = text.slice(at + character.length);
  switch (character) {
    case "\n":
    case "\t":
      return false;
    case "\r":
      return !next.startsWith("\n");
    case NO_BREAK_SPACE:
      return text[at - 1] === NO_BREAK_SPACE || next.startsWith(NO_BREAK_SPACE);
    case TEXT_STYLE:
    case EMOJI_STYLE:
      return !isSign(last(text.slice(0, at)), 0x2000);
    case JOINER: {
      // An emoji is often a sign and its selector before a joiner.
      const before = text.slice(0, at);
      const styled = before.endsWith(EMOJI_STYLE) && isSign(last(before.slice(0, -1)), 0x2000);
      return (
        !isSign(last(styled ? before.slice(0, -1) : before), 0x2190) || !isSign(next.codePointAt(0), 0x2190)
      );
    }
    default:
      return true;
  }
}

function last(text: string): number | undefined {
  return /.$/su.exec(text.slice(-2))?.[0].codePointAt(0);
}

function isSign(code: number | undefined, from: number): boolean {
  return code !== undefined && code >= from && !CANDIDATE.test(String.fromCodePoint(code));
}

function escapeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `⟨U+${code}⟩`;
}
