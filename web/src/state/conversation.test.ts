import { expect, test } from "vitest";
import {
  EMPTY_CONVERSATION,
  withKept,
  withMessage,
  withoutPast,
  withPage,
  type Page,
  type Place,
} from "@/state/conversation";
import type { Conversation } from "@/state/state";
import { aMessage } from "@/testing/builders";

function aConversation(ids: string[], parts: Partial<Conversation> = {}): Conversation {
  return { messages: ids.map((id) => aMessage(id)), atStart: false, atEnd: true, stale: false, ...parts };
}

function aPage(ids: string[], parts: Partial<Page> = {}): Page {
  return { messages: ids.map((id) => aMessage(id)), atStart: false, atEnd: false, ...parts };
}

interface Case {
  what: string;
  given: Conversation;
  place: Place;
  page: Page;
  then: Conversation;
}

const cases: Case[] = [
  {
    what: "the newest page of a conversation that was just opened",
    given: EMPTY_CONVERSATION,
    place: "newest",
    page: aPage(["m3", "m4"], { atEnd: true }),
    then: aConversation(["m3", "m4"]),
  },
  {
    what: "an older page goes in front, what overlaps counts once",
    given: aConversation(["m3", "m4"]),
    place: "older",
    page: aPage(["m1", "m2", "m3"], { atStart: true }),
    then: aConversation(["m1", "m2", "m3", "m4"], { atStart: true }),
  },
  {
    what: "a newer page goes behind",
    given: aConversation(["m1", "m2"], { atEnd: false }),
    place: "newer",
    page: aPage(["m3"]),
    then: aConversation(["m1", "m2", "m3"], { atEnd: false }),
  },
  {
    what: "one that reaches the end may already be too old: the newest page is asked for",
    given: aConversation(["m1", "m2"], { atEnd: false }),
    place: "newer",
    page: aPage(["m3"], { atEnd: true }),
    then: aConversation(["m1", "m2", "m3"], { stale: true }),
  },
  {
    what: "what surrounds a message takes the place of what was loaded",
    given: aConversation(["m8", "m9"]),
    place: "around",
    page: aPage(["m3", "m4"]),
    then: aConversation(["m3", "m4"], { atEnd: false }),
  },
  {
    what: "after a resync the newest page is joined where it overlaps",
    given: aConversation(["m1", "m2", "m3"], { atStart: true, stale: true }),
    place: "newest",
    page: aPage(["m3", "m4"], { atEnd: true }),
    then: aConversation(["m1", "m2", "m3", "m4"], { atStart: true }),
  },
  {
    what: "it fills what was missed",
    given: aConversation(["m1", "m2", "m5"], { stale: true }),
    place: "newest",
    page: aPage(["m2", "m3", "m4", "m5"], { atEnd: true }),
    then: aConversation(["m1", "m2", "m3", "m4", "m5"]),
  },
  {
    what: "where it does not overlap, what is older is dropped",
    given: { ...aConversation([], { atStart: true, stale: true }), messages: [aMessage("m1", "m1", 0)] },
    place: "newest",
    page: aPage(["m8", "m9"], { atEnd: true }),
    then: aConversation(["m8", "m9"]),
  },
  {
    what: "from a place in the past it leads to the end",
    given: aConversation(["m1", "m2"], { atStart: true, atEnd: false }),
    place: "newest",
    page: aPage(["m8", "m9"], { atEnd: true }),
    then: aConversation(["m8", "m9"]),
  },
  {
    what: "a page does not undo what an event has brought since",
    given: { ...aConversation([], { stale: true }), messages: [aMessage("m3", "m3 and more")] },
    place: "newest",
    page: aPage(["m3"], { atEnd: true }),
    then: { ...aConversation([]), messages: [aMessage("m3", "m3 and more")] },
  },
  {
    what: "what happened while the page was on its way is asked for again",
    given: aConversation(["m1"], { stale: "again" }),
    place: "newest",
    page: aPage(["m1"], { atEnd: true }),
    then: aConversation(["m1"], { stale: true }),
  },
];

test.each(cases)("$what", ({ given, place, page, then }) => {
  expect(withPage(given, place, page)).toEqual(then);
});

test("away from the end nothing new is put behind, but what is known is replaced", () => {
  const past = aConversation(["m1", "m2"], { atEnd: false });
  expect(withMessage(past, aMessage("m9"))).toBe(past);
  expect(withMessage(past, aMessage("m1", "more")).messages[0]).toEqual(aMessage("m1", "more"));
});

test("only what surrounds the place that is read stays", () => {
  const all = aConversation(["m1", "m2", "m3", "m4"], { atStart: true });
  expect(withKept(all, "m2", "m3")).toEqual(aConversation(["m2", "m3"], { atEnd: false }));
  expect(withKept(all, "m2", "m4")).toEqual(aConversation(["m2", "m3", "m4"]));
  expect(withKept(all, "m9", "m3")).toBe(all);
});

test("of a conversation that nobody looks at the end stays", () => {
  const ids = Array.from({ length: 300 }, (_, index) => `m${index}`);
  const left = withoutPast(aConversation(ids, { atStart: true }));
  expect(left).toEqual(aConversation(ids.slice(-100)));
  expect(withoutPast(aConversation(["m1"], { atEnd: false }))).toBe(EMPTY_CONVERSATION);
});
