/*
 * The one place where the state changes: (state, action) -> state, pure. Duplicated events are dropped, a missing
 * one marks a gap (the socket then starts over from a snapshot), unknown ones are ignored.
 */
import type { Action, Welcome } from "@/state/action";
import { EMPTY_CONVERSATION, withKept, withoutPast, withPage } from "@/state/conversation";
import {
  withChanged,
  withEdited,
  withElsewhere,
  withEnqueued,
  withRefused,
  withRemoved,
} from "@/state/outbox";
import { without } from "@/state/record";
import { inConversation, reduceEvent } from "@/state/reduce-event";
import { withLowered, withNotice, withNoticeOver, withRaised, withViewing } from "@/state/sheet";
import type { State } from "@/state/state";
import type { AttachedFile } from "@/wire/compose";
import type { Event, Snapshot } from "@/wire/protocol";

export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case "connection":
      return { ...state, connection: steady(state.connection, action.connection) };
    case "welcome":
      return withWelcome(state, action.welcome);
    case "snapshot":
      return withSnapshot(state, action.seq, action.snapshot);
    case "event":
      return withSequencedEvent(state, action.seq, action.event);
    case "screen":
      return { ...state, screens: { ...state.screens, [action.sessionId]: action.frame } };
    case "messages-loaded": {
      const known = state.conversations[action.sessionId] ?? EMPTY_CONVERSATION;
      const { messages, atStart, atEnd } = action;
      const conversation = withPage(known, action.place, { messages, atStart, atEnd });
      return { ...state, conversations: { ...state.conversations, [action.sessionId]: conversation } };
    }
    case "messages-kept":
      return inConversation(state, action.sessionId, (known) => withKept(known, action.first, action.last));
    case "viewing":
      return withViewing(withOpened(withLeft(state), action.sessionId), action.sessionId);
    case "draft":
      return { ...state, drafts: withDraft(state.drafts, action.sessionId, action.text) };
    case "attached":
      return { ...state, attached: withFiles(state.attached, action.sessionId, action.files) };
    case "refusal-seen":
      return { ...state, refused: without(state.refused, action.sessionId) };
    case "enqueued":
      return withEnqueued(state, action.outgoing);
    case "outgoing":
      return withChanged(state, action.key, action.change);
    case "outgoing-refused":
      return withRefused(state, action.key, action.refused);
    case "outgoing-edited":
      return withEdited(state, action.key);
    case "outgoing-removed":
      return withRemoved(state, action.key);
    case "outgoing-elsewhere":
      return withElsewhere(state, action.key, action.outgoing);
    case "seen-elsewhere":
      return { ...state, seen: { ...state.seen, [action.sessionId]: action.count } };
    case "answer":
      return { ...state, ownAnswers: { ...state.ownAnswers, [action.requestId]: action.answer } };
    case "answer-accepted":
      return withAccepted(state, action.requestId);
    case "sheet-raised":
      return withRaised(state, action.requestId);
    case "sheet-lowered":
      return withLowered(state);
    case "notice":
      return withNotice(state, { tone: action.tone, text: action.text }, false);
    case "notice-over":
      return withNoticeOver(state, action.id);
    case "review-drafted":
      return { ...state, reviewDraft: action.draft };
    case "preferences":
      return { ...state, preferences: { ...state.preferences, ...action.preferences } };
  }
}

/** A loss is dated from its first moment, however many attempts follow. */
function steady(before: State["connection"], after: State["connection"]): State["connection"] {
  return before.type === "lost" && after.type === "lost" ? before : after;
}

function withWelcome(state: State, welcome: Welcome): State {
  const { protocol, serverVersion: version, epoch, deviceId } = welcome;
  const resumes = state.sync.type === "at" && state.sync.epoch === epoch;
  return {
    ...state,
    server: { protocol, version, epoch, deviceId },
    sync: resumes ? state.sync : { type: "none" },
    connection: resumes ? { type: "live" } : state.connection,
  };
}

function withSnapshot(state: State, seq: number, snapshot: Snapshot): State {
  const asked = new Set(snapshot.prompts.map(({ prompt }) => prompt.requestId));
  const prompts = snapshot.prompts.filter(({ prompt }) => !prompt.optional);
  const waiting = new Set(prompts.map(({ prompt }) => prompt.requestId));
  const shown = state.sheet.shown;
  const next: State = {
    ...state,
    connection: { type: "live" },
    sync: { type: "at", epoch: state.server?.epoch ?? "", seq },
    loaded: true,
    knownAt: null,
    sessions: Object.fromEntries(snapshot.sessions.map((session) => [session.id, session])),
    prompts,
    asides: snapshot.prompts.filter(({ prompt }) => prompt.optional),
    adapters: snapshot.adapters,
    conversations: Object.fromEntries(
      Object.entries(state.conversations).map(([id, known]) => [id, { ...known, stale: true }]),
    ),
    ownAnswers: Object.fromEntries(Object.entries(state.ownAnswers).filter(([id]) => asked.has(id))),
    sheet: {
      shown: shown !== null && waiting.has(shown) ? shown : null,
      lowered: state.sheet.lowered.filter((id) => waiting.has(id)),
    },
  };
  // The prompt on the sheet ended while this page was away; nobody can say how.
  if (shown !== null && !waiting.has(shown)) {
    return withNotice(next, { tone: "plain", text: "answered or withdrawn meanwhile" }, true);
  }
  return state.viewing === null ? next : withViewing(next, state.viewing);
}

function withSequencedEvent(state: State, seq: number, event: Event): State {
  const { sync } = state;
  // Before a snapshot, and after a gap, single events mean nothing.
  if (sync.type !== "at" || seq <= sync.seq) return state;
  if (seq !== sync.seq + 1) return { ...state, sync: { type: "gap" } };
  return reduceEvent({ ...state, sync: { ...sync, seq } }, event);
}

function withOpened(state: State, sessionId: string | null): State {
  if (sessionId === null || state.conversations[sessionId]) return state;
  return { ...state, conversations: { ...state.conversations, [sessionId]: EMPTY_CONVERSATION } };
}

function withLeft(state: State): State {
  return state.viewing === null ? state : inConversation(state, state.viewing, withoutPast);
}

function withDraft(drafts: State["drafts"], sessionId: string, text: string): State["drafts"] {
  return text === "" ? without(drafts, sessionId) : { ...drafts, [sessionId]: text };
}

function withFiles(attached: State["attached"], sessionId: string, files: AttachedFile[]): State["attached"] {
  return files.length === 0 ? without(attached, sessionId) : { ...attached, [sessionId]: files };
}

/** The reply may come after the first progress, or after the end: then it has nothing more to say. */
function withAccepted(state: State, requestId: string): State {
  const own = state.ownAnswers[requestId];
  if (own?.status !== "sending") return state;
  return { ...state, ownAnswers: { ...state.ownAnswers, [requestId]: { ...own, status: "accepted" } } };
}
