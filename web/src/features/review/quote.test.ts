import { expect, test } from "vitest";
import { fenced, requestText, returnText } from "@/features/review/quote";

test.each([
  ["plain", "```\nplain\n```"],
  ["a ``` b\n", "````\na ``` b\n````"],
  ["`x`", "```\n`x`\n```"],
])("%j is quoted as %j", (text, quoted) => expect(fenced(text)).toBe(quoted));

test("the request has the instruction before the quote, and says whose it is", () => {
  expect(requestText(" Look. ", "Claude", "x = 1")).toBe("Look.\n\nClaude wrote:\n\n```\nx = 1\n```");
});

test("what comes back is quoted line by line", () => {
  expect(returnText("Codex", "one\n\ntwo")).toBe(
    "Codex reviewed this:\n\n> one\n>\n> two\n\nPlease take what is right of it into account.",
  );
});
