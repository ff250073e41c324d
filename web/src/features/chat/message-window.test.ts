import { expect, test } from "vitest";
import { moveDown, moveUp, WINDOW, windowOf } from "@/features/chat/message-window";
import { aMessage } from "@/testing/builders";

const many = Array.from({ length: 650 }, (_, index) => aMessage(`m${index}`));
const few = many.slice(0, 30);

test("a short conversation is shown whole", () => {
  expect(windowOf(few, null)).toEqual({ start: 0, end: 30 });
  expect(moveUp(few, null)).toBeNull();
});

test("a long one shows its newest part, and moves a page at a time", () => {
  expect(windowOf(many, null)).toEqual({ start: 650 - WINDOW, end: 650 });
  const up = moveUp(many, null);
  expect(windowOf(many, up)).toEqual({ start: 150, end: 550 });
  expect(windowOf(many, moveUp(many, moveUp(many, up)))).toEqual({ start: 0, end: 400 });
  expect(moveDown(many, up)).toBeNull();
});

test("older pages in front and new messages behind do not move the window", () => {
  const up = moveUp(many, null);
  const grown = [aMessage("older"), ...many, aMessage("newer")];
  expect(windowOf(grown, up)).toEqual({ start: 151, end: 551 });
});

test("when the last one of the window is gone it follows the newest", () => {
  expect(windowOf(few, "forgotten")).toEqual({ start: 0, end: 30 });
});
