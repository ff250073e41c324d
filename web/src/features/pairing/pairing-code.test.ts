// @vitest-environment jsdom
import { expect, test } from "vitest";
import { codeInHash, isCompleteCode, takeCodeFromAddress, tidyCode } from "@/features/pairing/pairing-code";

test.each([
  ["", ""],
  ["ab", "AB"],
  ["abcd", "ABCD"],
  ["abcde", "ABCD-E"],
  ["abcd-efgh", "ABCD-EFGH"],
  [" ab cd_ef gh ij", "ABCD-EFGH"],
])("%j is tidied to %j", (typed, code) => expect(tidyCode(typed)).toBe(code));

test.each([
  ["ABCD-EFGH", true],
  ["ABCD-EFG", false],
  ["ABCDEFGH", false],
])("%j complete: %s", (code, complete) => expect(isCompleteCode(code)).toBe(complete));

test.each([
  ["#pair=abcd-efgh", "ABCD-EFGH"],
  ["#pair=", null],
  ["#/settings", null],
  ["", null],
])("the code in %j is %j", (hash, code) => expect(codeInHash(hash)).toBe(code));

test("the code leaves the address bar as soon as it is read", () => {
  location.hash = "#pair=ABCD-EFGH";
  expect(takeCodeFromAddress()).toBe("ABCD-EFGH");
  expect(location.hash).toBe("#/");
  expect(takeCodeFromAddress()).toBeNull();
});
