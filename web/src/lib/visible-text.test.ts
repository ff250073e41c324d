import { expect, test } from "vitest";
import { hasUnseen, visibleParts, visibleText } from "@/lib/visible-text";

test.each<[what: string, text: string, seen: string]>([
  ["a bidi override", "npm test \u202E;x", "npm test ⟨U+202E⟩;x"],
  ["bidi isolates", "\u2066a\u2069", "⟨U+2066⟩a⟨U+2069⟩"],
  ["a zero-width space", "rm\u200B -rf", "rm⟨U+200B⟩ -rf"],
  ["blanks that do not break", "a\u00A0\u00A0b", "a⟨U+00A0⟩⟨U+00A0⟩b"],
  ["an empty Braille cell", "npm test\u2800; rm x", "npm test⟨U+2800⟩; rm x"],
  ["what stands for an object, and no character at all", "a\uFFFC\uFFFE", "a⟨U+FFFC⟩⟨U+FFFE⟩"],
  ["a joiner between letters", "a\u200Db", "a⟨U+200D⟩b"],
  ["a selector that follows another", "x\uFE0F\uFE01", "x⟨U+FE0F⟩⟨U+FE01⟩"],
  ["a wide blank of a script", "a\u2003b", "a⟨U+2003⟩b"],
  ["a Hangul filler", "a\u3164\uFFA0", "a⟨U+3164⟩⟨U+FFA0⟩"],
  ["a soft hyphen", "a\u00ADb", "a⟨U+00AD⟩b"],
  ["a line separator", "a\u2028b", "a⟨U+2028⟩b"],
  ["a carriage return and an escape", "a\rb\u001B[2K", "a⟨U+000D⟩b⟨U+001B⟩[2K"],
  ["a byte order mark", "\uFEFFa", "⟨U+FEFF⟩a"],
  ["a tag", "a\u{E0041}", "a⟨U+E0041⟩"],
  ["a variation selector", "a\uFE0F", "a⟨U+FE0F⟩"],
  ["a Cyrillic letter in a Latin word", "curl p\u0430ypal.com", "curl p⟨U+0430⟩ypal.com"],
  ["a Greek one beside something unseen", "g\u03BFt\u200B", "g⟨U+03BF⟩t⟨U+200B⟩"],
])("%s is written as what it is", (_, text, seen) => expect(visibleText(text)).toBe(seen));

test.each([
  "cargo test --all\r\n\tnext",
  "привет мир, πλάτος 42",
  "größe café 漢字\u3000字 עברית 😀",
  "5\u00A0km",
  "✔️ ok 👩‍💻 👨‍👩‍👧 ❤️‍🔥",
  "",
])("%j stays as it is", (text) => {
  expect(hasUnseen(text)).toBe(false);
  expect(visibleText(text)).toBe(text);
});

test("each escape is a part of its own", () => {
  expect(visibleParts("a\u200B\u200Bb")).toEqual([
    { text: "a", escaped: false },
    { text: "⟨U+200B⟩", escaped: true },
    { text: "⟨U+200B⟩", escaped: true },
    { text: "b", escaped: false },
  ]);
});
