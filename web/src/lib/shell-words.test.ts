import { expect, test } from "vitest";
import { joinShellWords, splitShellWords } from "@/lib/shell-words";

test.each([
  ["", []],
  ["   ", []],
  ["npm run dev", ["npm", "run", "dev"]],
  ["  a \t b  ", ["a", "b"]],
  [`echo "two words"`, ["echo", "two words"]],
  [`echo 'it''s'`, ["echo", "its"]],
  [`echo 'a\\b'`, ["echo", "a\\b"]],
  [`echo "a\\"b" "c\\d"`, ["echo", 'a"b', "c\\d"]],
  [`a\\ b c`, ["a b", "c"]],
  [`""`, [""]],
  [`pre"mid"'post'`, ["premidpost"]],
  ["echo $HOME ~ *", ["echo", "$HOME", "~", "*"]],
])("%j splits into %j", (line, words) => {
  expect(splitShellWords(line)).toEqual({ ok: true, words });
});

test.each([
  [`echo "open`, `A " is not closed.`],
  [`echo 'open`, "A ' is not closed."],
  ["echo \\", "The command ends in a backslash."],
])("%j is refused", (line, reason) => {
  expect(splitShellWords(line)).toEqual({ ok: false, reason });
});

test.each([
  [["bash", "-lc", "ls"], "bash -lc ls"],
  [["bash", "-lc", "rm -rf x"], "bash -lc 'rm -rf x'"],
  [["echo", "it's", ""], String.raw`echo 'it'\''s' ''`],
])("%j is written %j", (words, line) => {
  expect(joinShellWords(words)).toBe(line);
  expect(splitShellWords(line)).toEqual({ ok: true, words });
});
