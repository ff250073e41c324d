import { expect, test } from "vitest";
import { staysAtEnd } from "@/features/chat/at-end";

test.each([
  ["text that comes in below does not let go", { stuck: true, wentUp: false, left: 300 }, true],
  ["the first step of a slow finger does", { stuck: true, wentUp: true, left: 6 }, false],
  ["a box that grew and was pushed up to its end does not", { stuck: true, wentUp: true, left: 0.5 }, true],
  ["on the way down, near the end is the end", { stuck: false, wentUp: false, left: 30 }, true],
  ["farther away is not", { stuck: false, wentUp: false, left: 60 }, false],
  ["nor is near it on the way up", { stuck: false, wentUp: true, left: 30 }, false],
])("%s", (_, scrolled, stays) => {
  expect(staysAtEnd(scrolled)).toBe(stays);
});
