/* The contrast of what is read, in both themes, from the very file the page uses. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { contrast, parseHex } from "@/lib/contrast";

const css = readFileSync("src/styles/tokens.css", "utf8");
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name, light, dark]) => [
    String(name),
    { light: String(light), dark: String(dark) },
  ]),
);

const surfaces = ["bg", "raised", "sunken"];
const ansi = Array.from({ length: 16 }, (_, index) => `ansi-${index}`);
const pairs: [string, string][] = [
  ...["text", "dim", "amber", "good", "bad", "other"].flatMap((ink) =>
    surfaces.map((surface): [string, string] => [ink, surface]),
  ),
  ...["amber-tint", "bad-tint"].map((surface): [string, string] => ["text", surface]),
  ["amber", "amber-tint"],
  ["dim", "amber-tint"],
  ["bad", "bad-tint"],
  ...["diff-added", "diff-added-mark", "diff-removed", "diff-removed-mark"].map(
    (surface): [string, string] => ["text", surface],
  ),
  ["dim", "diff-added"],
  ["dim", "diff-removed"],
  ...["code-keyword", "code-string", "code-value", "code-name"].map((ink): [string, string] => [
    ink,
    "sunken",
  ]),
  ["text", "found"],
  ["screen-fg", "screen-bg"],
  // Black on black is what a program asks for with colour 0 on a dark terminal; it is only ever a background there.
  ...ansi.slice(1).map((ink): [string, string] => [ink, "screen-bg"]),
];

test.each(pairs)("%s on %s can be read in both themes", (ink, surface) => {
  for (const theme of ["light", "dark"] as const) {
    const ratio = contrast(parseHex(colour(ink)[theme]), parseHex(colour(surface)[theme]));
    expect(ratio, `${ink} on ${surface}, ${theme}`).toBeGreaterThanOrEqual(4.5);
  }
});

test.each(surfaces)("the edge of a control is seen on %s in both themes", (surface) => {
  for (const theme of ["light", "dark"] as const) {
    const ratio = contrast(parseHex(colour("edge")[theme]), parseHex(colour(surface)[theme]));
    expect(ratio, `edge on ${surface}, ${theme}`).toBeGreaterThanOrEqual(3);
  }
});

function colour(name: string) {
  const found = tokens.get(name);
  if (!found) throw new Error(`no token --${name}`);
  return found;
}
