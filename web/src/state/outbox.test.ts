/* The outbox as a table: from the composer, to the server, or back. */
import { expect, test } from "vitest";
import type { Action } from "@/state/action";
import { heads, type Outgoing } from "@/state/outbox";
import { reduce } from "@/state/reducer";
import type { State } from "@/state/state";
import { aMessage, aSession, aState, sameParts } from "@/testing/builders";

const file = { id: "f.png", name: "shot.png", kind: "image/png", size: 3 };

function anOutgoing(parts: Partial<Outgoing> = {}): Outgoing {
  return { key: "k1", sessionId: "s1", text: "hello", files: [], at: 1, status: "waiting", ...parts };
}

const one = anOutgoing();
const two = anOutgoing({ key: "k2", text: "again", at: 2 });
const refused = { code: "dialog-open", message: "answer it first" };

const CASES: { what: string; given: Partial<State>; action: Action; then: Partial<State> }[] = [
  {
    what: "what is sent leaves the composer",
    given: { drafts: { s1: "hello", s2: "kept" }, attached: { s1: [file] }, refused: { s1: refused } },
    action: { type: "enqueued", outgoing: one, from: "composer" },
    then: { outbox: [one], drafts: { s2: "kept" }, attached: {}, refused: {} },
  },
  {
    what: "a note goes when there is nothing more to note",
    given: { outbox: [anOutgoing({ note: "busy" })] },
    action: { type: "outgoing", key: "k1", change: { status: "sending", note: undefined } },
    then: { outbox: [anOutgoing({ status: "sending" })] },
  },
  {
    what: "what the server has taken is gone",
    given: { outbox: [one, two] },
    action: { type: "outgoing-removed", key: "k1" },
    then: { outbox: [two] },
  },
  {
    what: "what is refused stands in the composer again, with the reason",
    given: { outbox: [anOutgoing({ files: [file] })] },
    action: { type: "outgoing-refused", key: "k1", refused },
    then: { outbox: [], drafts: { s1: "hello" }, attached: { s1: [file] }, refused: { s1: refused } },
  },
  {
    what: "unless the next one is being written there",
    given: { outbox: [one], drafts: { s1: "next" } },
    action: { type: "outgoing-refused", key: "k1", refused },
    then: {
      outbox: [anOutgoing({ status: "held", note: "answer it first" })],
      drafts: { s1: "next" },
      refused: {},
    },
  },
  {
    what: "or others wait behind it, which would then go before it",
    given: { outbox: [one, two] },
    action: { type: "outgoing-refused", key: "k1", refused },
    then: { outbox: [anOutgoing({ status: "held", note: "answer it first" }), two], drafts: {} },
  },
  {
    what: "a refusal of what was taken back meanwhile says nothing",
    given: { outbox: [] },
    action: { type: "outgoing-refused", key: "k1", refused },
    then: { outbox: [], drafts: {}, refused: {} },
  },
  {
    what: "what is edited goes before what stands in the composer",
    given: { outbox: [one], drafts: { s1: "more" } },
    action: { type: "outgoing-edited", key: "k1" },
    then: { outbox: [], drafts: { s1: "hello\nmore" } },
  },
  {
    what: "what another tab writes is shown in its place",
    given: { outbox: [two] },
    action: { type: "outgoing-elsewhere", key: "k1", outgoing: one },
    then: { outbox: [{ ...one, elsewhere: true }, two] },
  },
  {
    what: "what another tab has sent is gone here too",
    given: { outbox: [one] },
    action: { type: "outgoing-elsewhere", key: "k1", outgoing: undefined },
    then: { outbox: [] },
  },
  {
    what: "what is under way here stays so",
    given: { outbox: [anOutgoing({ status: "sending" })] },
    action: { type: "outgoing-elsewhere", key: "k1", outgoing: one },
    then: { outbox: [anOutgoing({ status: "sending" })] },
  },
  {
    what: "a forgotten session takes its messages along",
    given: { outbox: [one, anOutgoing({ key: "k3", sessionId: "s2" })] },
    action: { type: "event", seq: 11, event: { type: "session-forgotten", sessionId: "s1" } },
    then: { outbox: [anOutgoing({ key: "k3", sessionId: "s2" })] },
  },
];

test("what the server has stays until the conversation tells of it, each message once", () => {
  const given = aState({ sessions: { s1: aSession() }, outbox: [one, anOutgoing({ key: "k2" })] });
  const taken = ["k1", "k2"].reduce(
    (state, key) => reduce(state, { type: "outgoing-taken", key, at: 5 }),
    given,
  );
  expect(taken.outbox).toEqual([]);
  expect(taken.taken.map(({ key }) => key)).toEqual(["k1", "k2"]);
  const message = { ...aMessage("m1", " hello\n"), role: "user" as const };
  const told = reduce(taken, {
    type: "event",
    seq: 11,
    event: { type: "message", sessionId: "s1", message },
  });
  expect(told.taken.map(({ key }) => key)).toEqual(["k2"]);
});

test("a message that is told of before the server's reply is not shown twice", () => {
  const conversation = { messages: [aMessage("m0", "hello")], atStart: true, atEnd: true, stale: false };
  const given = aState({
    sessions: { s1: aSession() },
    conversations: { s1: conversation },
    viewing: ["s1"],
  });
  const sent = reduce(given, { type: "enqueued", outgoing: one, from: "composer" });
  const message = { ...aMessage("m1", "hello"), role: "user" as const };
  const told = reduce(sent, { type: "event", seq: 11, event: { type: "message", sessionId: "s1", message } });
  expect(reduce(told, { type: "outgoing-taken", key: "k1", at: 5 }).taken).toEqual([]);
  expect(reduce(sent, { type: "outgoing-taken", key: "k1", at: 5 }).taken).toHaveLength(1);
});

test("what is sent from elsewhere leaves the composer alone", () => {
  const given = aState({ drafts: { s1: "half" } });
  expect(reduce(given, { type: "enqueued", outgoing: one, from: "elsewhere" }).drafts).toEqual({
    s1: "half",
  });
});

test.each(CASES)("$what", ({ given, action, then }) => {
  expect(sameParts(reduce(aState(given), action), then)).toEqual(then);
});

test("the first of each session goes out", () => {
  const other = anOutgoing({ key: "k3", sessionId: "s2", at: 3 });
  expect(heads([one, two, other])).toEqual([one, other]);
});
