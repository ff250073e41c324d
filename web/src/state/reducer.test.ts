/* The reducer as a table: for every event and action, what the state becomes. */
import { describe, expect, test } from "vitest";
import type { Action } from "@/state/action";
import { reduce } from "@/state/reducer";
import { PREFERENCES, type State } from "@/state/state";
import { sameParts, aMessage, aPrompt, aSession, aState } from "@/testing/builders";
import type { AnswerProgress, PromptOutcome } from "@/wire/prompt";
import type { Event } from "@/wire/protocol";

const session = aSession();
const prompt = aPrompt();
const optional = aPrompt({ optional: true });
const mine = { by: { type: "device", deviceId: "d1", name: "Pixel" }, summary: "Yes" } as const;
const theirs = { by: { type: "device", deviceId: "d2", name: "iPad" }, summary: "No" } as const;
const conversation = { messages: [aMessage("m1")], atStart: true, atEnd: true, stale: false };
const progress = (step: AnswerProgress["step"]): AnswerProgress => ({ requestId: "p1", answer: mine, step });

/** The state after one event that is next in order. */
function after(event: Event, parts: Partial<State> = {}): State {
  return reduce(aState(parts), { type: "event", seq: 11, event });
}

interface Case {
  what: string;
  given?: Partial<State>;
  event: Event;
  then: Partial<State>;
}

const CASES: Case[] = [
  { what: "a session is new", event: { type: "session", session }, then: { sessions: { s1: session } } },
  {
    what: "a session that is looked at has no unread messages",
    given: { viewing: ["s1"] },
    event: { type: "session", session: { ...session, messageCount: 7 } },
    then: { seen: { s1: 7 } },
  },
  {
    what: "a forgotten session takes everything of its own along",
    given: {
      sessions: { s1: session },
      conversations: { s1: conversation },
      drafts: { s1: "half", s2: "kept" },
      seen: { s1: 3 },
      prompts: [{ prompt }],
      asides: [{ prompt: optional }],
    },
    event: { type: "session-forgotten", sessionId: "s1" },
    then: { sessions: {}, conversations: {}, drafts: { s2: "kept" }, seen: {}, prompts: [], asides: [] },
  },
  {
    what: "a prompt elsewhere waits in the inbox",
    event: { type: "prompt", prompt },
    then: { prompts: [{ prompt }], sheet: { shown: null, lowered: [] } },
  },
  {
    what: "what may be left alone waits for nobody and raises nothing",
    given: { viewing: ["s1"] },
    event: { type: "prompt", prompt: optional },
    then: { prompts: [], asides: [{ prompt: optional }], sheet: { shown: null, lowered: [] } },
  },
  {
    what: "what may be left alone is answered like any other",
    given: { asides: [{ prompt: optional }] },
    event: { type: "prompt-progress", progress: progress({ type: "typed" }) },
    then: { asides: [{ prompt: optional, progress: progress({ type: "typed" }) }] },
  },
  {
    what: "what may be left alone goes without a word",
    given: { asides: [{ prompt: optional }] },
    event: { type: "prompt-closed", requestId: "p1", outcome: { type: "gone" } },
    then: { asides: [], notice: null },
  },
  {
    what: "an answer to what may be left alone is told",
    given: { asides: [{ prompt: optional }] },
    event: { type: "prompt-closed", requestId: "p1", outcome: { type: "verified", answer: mine } },
    then: { asides: [], notice: { id: 1, tone: "good", text: "Claude took it: Yes", fromSheet: false } },
  },
  {
    what: "a prompt of the open chat raises the sheet",
    given: { viewing: ["s1"] },
    event: { type: "prompt", prompt },
    then: { sheet: { shown: "p1", lowered: [] } },
  },
  {
    what: "a second prompt does not push the first off the sheet",
    given: { viewing: ["s1"], prompts: [{ prompt }], sheet: { shown: "p1", lowered: [] } },
    event: { type: "prompt", prompt: aPrompt({ requestId: "p2" }) },
    then: { sheet: { shown: "p1", lowered: [] } },
  },
  {
    what: "a prompt whose content changed keeps its place and its progress",
    given: { prompts: [{ prompt, progress: progress({ type: "typed" }) }] },
    event: { type: "prompt", prompt: aPrompt({ title: "Changed" }) },
    then: { prompts: [{ prompt: aPrompt({ title: "Changed" }), progress: progress({ type: "typed" }) }] },
  },
  {
    what: "progress takes over from what this device knew of its answer",
    given: {
      prompts: [{ prompt }],
      ownAnswers: { p1: { status: "sending", response: { requestId: "p1" } } },
    },
    event: { type: "prompt-progress", progress: progress({ type: "sending" }) },
    then: {
      prompts: [{ prompt, progress: progress({ type: "sending" }) }],
      ownAnswers: { p1: { status: "accepted", response: { requestId: "p1" } } },
    },
  },
  {
    what: "a failed answer can be tried again",
    given: {
      prompts: [{ prompt }],
      ownAnswers: { p1: { status: "accepted", response: { requestId: "p1" } } },
    },
    event: { type: "prompt-progress", progress: progress({ type: "failed", reason: "no" }) },
    then: { ownAnswers: { p1: { status: "failed", response: { requestId: "p1" } } } },
  },
  {
    what: "progress of an unknown prompt is nothing",
    event: { type: "prompt-progress", progress: progress({ type: "typed" }) },
    then: { prompts: [] },
  },
  {
    what: "a message of a conversation that was never opened is not collected",
    event: { type: "message", sessionId: "s1", message: aMessage("m2") },
    then: { conversations: {} },
  },
  {
    what: "a new message goes to the end",
    given: { viewing: ["s1"], conversations: { s1: conversation } },
    event: { type: "message", sessionId: "s1", message: aMessage("m2") },
    then: { conversations: { s1: { ...conversation, messages: [aMessage("m1"), aMessage("m2")] } } },
  },
  {
    what: "a known message is replaced in place",
    given: {
      viewing: ["s1"],
      conversations: { s1: { ...conversation, messages: [aMessage("m1"), aMessage("m2")] } },
    },
    event: { type: "message", sessionId: "s1", message: aMessage("m1", "again") },
    then: { conversations: { s1: { ...conversation, messages: [aMessage("m1", "again"), aMessage("m2")] } } },
  },
  {
    what: "what is said while nobody looks is fetched when somebody does",
    given: { conversations: { s1: conversation } },
    event: { type: "message", sessionId: "s1", message: aMessage("m2") },
    then: { conversations: { s1: { ...conversation, stale: true } } },
  },
  {
    what: "many messages at once are fetched, not told",
    given: { viewing: ["s1"], conversations: { s1: conversation } },
    event: { type: "many-messages", sessionId: "s1" },
    then: { conversations: { s1: { ...conversation, stale: true } } },
  },
  {
    what: "a delta is appended",
    given: { viewing: ["s1"], conversations: { s1: conversation } },
    event: { type: "message-delta", sessionId: "s1", messageId: "m1", text: " and on" },
    then: { conversations: { s1: { ...conversation, messages: [aMessage("m1", "m1 and on")] } } },
  },
  {
    what: "a delta of an unknown message is nothing",
    given: { viewing: ["s1"], conversations: { s1: conversation } },
    event: { type: "message-delta", sessionId: "s1", messageId: "m9", text: "x" },
    then: { conversations: { s1: conversation } },
  },
  {
    what: "an event of a later version is counted and ignored",
    event: { type: "weather", rain: true } as unknown as Event,
    then: { sync: { type: "at", epoch: "e1", seq: 11 } },
  },
];

test.each(CASES)("event: $what", ({ given, event, then }) => {
  expect(sameParts(after(event, given), then)).toEqual(then);
});

const OUTCOMES: [PromptOutcome, string, string][] = [
  [{ type: "verified", answer: mine }, "good", "Claude continued: Yes"],
  [{ type: "verified", answer: theirs }, "plain", "answered by iPad: No"],
  [
    { type: "verified", answer: { by: { type: "desk" }, summary: "No" } },
    "plain",
    "answered at the desk: No",
  ],
  [{ type: "gone" }, "plain", "answered at the desk or withdrawn"],
  [{ type: "session-ended" }, "plain", "the session ended before an answer"],
];

test.each(OUTCOMES)("a prompt that closed with %j is told", (outcome, tone, text) => {
  const state = after(
    { type: "prompt-closed", requestId: "p1", outcome },
    {
      prompts: [{ prompt }],
      sheet: { shown: "p1", lowered: [] },
      ownAnswers: { p1: { status: "accepted" } },
    },
  );
  const then = {
    prompts: [],
    ownAnswers: {},
    sheet: { shown: null, lowered: [] },
    notice: { id: 1, tone: tone as "good" | "plain", text, fromSheet: true },
  };
  expect(sameParts(state, then)).toEqual(then);
});

describe("the order of events", () => {
  const event: Event = { type: "session", session };

  test("a duplicate is dropped", () => {
    const state = aState();
    expect(reduce(state, { type: "event", seq: 10, event })).toBe(state);
  });

  test("a gap asks for a resync, and nothing is taken until it has come", () => {
    const gap = reduce(aState(), { type: "event", seq: 12, event });
    expect(gap.sync).toEqual({ type: "gap" });
    expect(gap.sessions).toEqual({});
    expect(reduce(gap, { type: "event", seq: 13, event })).toBe(gap);
  });

  test("before a snapshot events mean nothing", () => {
    const state = aState({ sync: { type: "none" } });
    expect(reduce(state, { type: "event", seq: 1, event })).toBe(state);
  });
});

describe("connecting", () => {
  const welcome = (epoch: string): Action => ({
    type: "welcome",
    welcome: { type: "welcome", protocol: 1, serverVersion: "2", epoch, deviceId: "d1" },
  });
  const lost = (since: number): Action => ({ type: "connection", connection: { type: "lost", since } });
  const snapshot: Action = {
    type: "snapshot",
    seq: 40,
    snapshot: { sessions: [session], prompts: [{ prompt }], adapters: [] },
  };

  test("a welcome in the same epoch resumes", () => {
    const state = reduce(reduce(aState(), lost(5)), welcome("e1"));
    expect(state).toMatchObject({ connection: { type: "live" }, sync: { type: "at", seq: 10 } });
  });

  test("a welcome in another epoch waits for the snapshot", () => {
    const waiting = reduce(reduce(aState(), lost(5)), welcome("e2"));
    expect(waiting).toMatchObject({ connection: { type: "lost", since: 5 }, sync: { type: "none" } });
    expect(reduce(waiting, snapshot)).toMatchObject({
      connection: { type: "live" },
      sync: { type: "at", epoch: "e2", seq: 40 },
      sessions: { s1: session },
      prompts: [{ prompt }],
      loaded: true,
    });
  });

  test("a snapshot tells what waits from what may be left alone, and keeps both answers", () => {
    const aside = aPrompt({ requestId: "p2", optional: true });
    const prompts = [{ prompt }, { prompt: aside }];
    const sent = { p1: { status: "sending" }, p2: { status: "sending" } } as const;
    const state = reduce(aState({ viewing: ["s1"], ownAnswers: sent }), {
      type: "snapshot",
      seq: 40,
      snapshot: { sessions: [session], prompts, adapters: [] },
    });
    expect(state).toMatchObject({ prompts: [{ prompt }], asides: [{ prompt: aside }], ownAnswers: sent });
    expect(state.sheet.shown).toBe("p1");
  });

  test("a loss is dated from its first moment", () => {
    expect(reduce(reduce(aState(), lost(5)), lost(9)).connection).toEqual({ type: "lost", since: 5 });
  });

  test("a snapshot makes conversations stale and drops what is over", () => {
    const before = aState({
      conversations: { s1: conversation },
      prompts: [{ prompt: aPrompt({ requestId: "old" }) }],
      ownAnswers: { old: { status: "sending" }, p1: { status: "sending" } },
      sheet: { shown: "old", lowered: ["old", "p1"] },
    });
    const then: Partial<State> = {
      conversations: { s1: { ...conversation, stale: true } },
      ownAnswers: { p1: { status: "sending" } },
      sheet: { shown: null, lowered: ["p1"] },
      notice: { id: 1, tone: "plain", text: "answered or withdrawn meanwhile", fromSheet: true },
    };
    expect(sameParts(reduce(before, snapshot), then)).toEqual(then);
  });

  test("a snapshot takes along what belongs to sessions that are no more", () => {
    const file = { id: "f", name: "f", kind: "text/plain", size: 1 };
    const outgoing = { key: "k", text: "x", files: [], at: 1, status: "waiting" as const };
    const before = aState({
      drafts: { s1: "kept", gone: "half", "s1 back": "kept", "gone back": "half" },
      attached: { gone: [file] },
      seen: { s1: 1, gone: 2 },
      outbox: [
        { ...outgoing, sessionId: "gone" },
        { ...outgoing, sessionId: "s1" },
      ],
    });
    const then: Partial<State> = {
      drafts: { s1: "kept", "s1 back": "kept" },
      attached: {},
      seen: { s1: 1 },
      outbox: [{ ...outgoing, sessionId: "s1" }],
    };
    expect(sameParts(reduce(before, snapshot), then)).toEqual(then);
  });

  test("prompts stand in the order they came, whatever order the server names them in", () => {
    const late = { prompt: aPrompt({ requestId: "late", createdAt: 9 }) };
    const early = { prompt: aPrompt({ requestId: "early", createdAt: 3 }) };
    const state = reduce(aState(), {
      type: "snapshot",
      seq: 10,
      snapshot: { sessions: [], prompts: [late, early], adapters: [] },
    });
    expect(state.prompts).toEqual([early, late]);
  });

  test("a snapshot raises what waits in the open chat", () => {
    expect(reduce(aState({ viewing: ["s1"] }), snapshot).sheet.shown).toBe("p1");
  });
});

describe("what is open", () => {
  const message: Event = { type: "message", sessionId: "s1", message: aMessage("m9") };
  const both = aState({
    sessions: { s1: session, s2: { ...session, id: "s2" } },
    conversations: { s1: conversation, s2: conversation },
  });
  const open = reduce(both, { type: "viewing", sessionIds: ["s1", "s2"] });

  test("of two open chats both are kept up to date", () => {
    const told = reduce(open, { type: "event", seq: 11, event: message });
    expect(told.conversations.s1?.messages.at(-1)?.id).toBe("m9");
    expect(told.conversations.s1?.stale).toBe(conversation.stale);
    const left = reduce(told, { type: "viewing", sessionIds: ["s2"] });
    const later = reduce(left, { type: "event", seq: 12, event: message });
    expect(later.conversations.s1?.stale).toBeTruthy();
  });

  test("what one of them asks rises", () => {
    const asked: Event = { type: "prompt", prompt: aPrompt({ requestId: "p9", sessionId: "s2" }) };
    expect(reduce(open, { type: "event", seq: 11, event: asked }).sheet.shown).toBe("p9");
  });

  test("nothing counts as seen while the phone is locked, and all of it once it is not", () => {
    const more: Event = { type: "session", session: { ...session, messageCount: 7 } };
    const locked = reduce(open, { type: "visible", visible: false });
    const told = reduce(locked, { type: "event", seq: 11, event: more });
    expect(told.seen.s1).toBe(session.messageCount);
    expect(reduce(told, { type: "visible", visible: true }).seen.s1).toBe(7);
  });
});

describe("the sheet", () => {
  const two = [{ prompt }, { prompt: aPrompt({ requestId: "p2", sessionId: "s2" }) }];

  test("opening a chat raises its prompt, unless the person lowered it", () => {
    const open: Action = { type: "viewing", sessionIds: ["s1"] };
    expect(reduce(aState({ prompts: two }), open).sheet.shown).toBe("p1");
    const lowered = aState({ prompts: two, sheet: { shown: null, lowered: ["p1"] } });
    expect(reduce(lowered, open).sheet.shown).toBeNull();
  });

  test("lowering remembers, raising forgets", () => {
    const lowered = reduce(aState({ prompts: two, sheet: { shown: "p1", lowered: [] } }), {
      type: "sheet-lowered",
    });
    expect(lowered.sheet).toEqual({ shown: null, lowered: ["p1"] });
    expect(reduce(lowered, { type: "sheet-raised", requestId: "p1" }).sheet).toEqual({
      shown: "p1",
      lowered: [],
    });
  });

  test("a prompt that is over cannot be raised", () => {
    const state = aState();
    expect(reduce(state, { type: "sheet-raised", requestId: "p1" })).toBe(state);
  });

  test.each([
    [[], "p2"],
    [["s2"], "p2"],
    [["s1"], null],
  ])("after the notice, with %j open, %j is next", (viewing, next) => {
    const state = aState({
      viewing,
      prompts: two.slice(1),
      notice: { id: 3, tone: "good", text: "", fromSheet: true },
    });
    expect(reduce(state, { type: "notice-over", id: 2 })).toBe(state);
    expect(reduce(state, { type: "notice-over", id: 3 })).toMatchObject({
      notice: null,
      sheet: { shown: next },
    });
  });
});

test("a reply that comes after the progress, or after the end, says nothing more", () => {
  const accept: Action = { type: "answer-accepted", requestId: "p1" };
  const none = aState();
  expect(reduce(none, accept)).toBe(none);
  const failed = aState({ ownAnswers: { p1: { status: "failed" } } });
  expect(reduce(failed, accept)).toBe(failed);
  const sending = aState({ ownAnswers: { p1: { status: "sending" } } });
  expect(reduce(sending, accept).ownAnswers).toEqual({ p1: { status: "accepted" } });
});

test("a screen replaces the one before; preferences are merged", () => {
  const frame = { cols: 1, rows: 1, lines: [], cursor: { x: 0, y: 0, visible: true } };
  expect(reduce(aState(), { type: "screen", sessionId: "s1", frame }).screens).toEqual({ s1: frame });
  const themed = reduce(aState(), { type: "preferences", preferences: { theme: "dark" } });
  expect(themed.preferences).toEqual({ ...PREFERENCES, theme: "dark" });
});
