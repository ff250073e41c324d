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
  withTaken,
  withoutTold,
} from "@/state/outbox";
import { without } from "@/state/record";
import { inConversation, reduceEvent } from "@/state/reduce-event";
import { withLowered, withNotice, withNoticeOver, withRaised, withViewing, withVisible } from "@/state/sheet";
import type { Connection, State } from "@/state/state";
import type { AttachedFile } from "@/wire/compose";
import type { PendingPrompt } from "@/wire/prompt";
import type { Event, Snapshot } from "@/wire/protocol";

export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case "connection":
      return withConnection(state, action.connection);
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
      const next = { ...state, conversations: { ...state.conversations, [action.sessionId]: conversation } };
      return action.place === "newest" ? withoutTold(next, action.sessionId, messages) : next;
    }
    case "messages-kept":
      return inConversation(state, action.sessionId, (known) => withKept(known, action.first, action.last));
    case "viewing":
      return withViewing(withChats(state, action.sessionIds), action.sessionIds);
    case "visible":
      return withVisible(state, action.visible);
    case "draft":
      return { ...state, drafts: withDraft(state.drafts, action.sessionId, action.text) };
    case "attached":
      return { ...state, attached: withFiles(state.attached, action.sessionId, action.files) };
    case "refusal-seen":
      return { ...state, refused: without(state.refused, action.sessionId) };
    case "enqueued":
      return withEnqueued(state, action.outgoing, action.from);
    case "outgoing":
      return withChanged(state, action.key, action.change);
    case "outgoing-refused":
      return withRefused(state, action.key, action.refused);
    case "outgoing-edited":
      return withEdited(state, action.key);
    case "outgoing-taken":
      return withTaken(state, action.key, action.at);
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
    case "alert-dismissed":
      return { ...state, dismissed: [...state.dismissed, action.id] };
    case "review-drafted":
      return { ...state, reviewDraft: action.draft };
    case "preferences":
      return { ...state, preferences: { ...state.preferences, ...action.preferences } };
  }
}

/** A device that is locked out keeps nothing of what was written on it. */
function withConnection(state: State, connection: Connection): State {
  const next = { ...state, connection: steady(state.connection, connection) };
  if (connection.type !== "not-paired") return next;
  return { ...next, drafts: {}, attached: {}, refused: {}, seen: {}, outbox: [], taken: [] };
}

/** What belongs to a session that is no more goes with it; a key may have more behind the session's id. */
function ofSessions<Value>(record: Record<string, Value>, sessions: Set<string>): Record<string, Value> {
  const kept = Object.entries(record).filter(([key]) => sessions.has(key.split(" ")[0] ?? ""));
  return kept.length === Object.keys(record).length ? record : Object.fromEntries(kept);
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
  const prompts = inOrder(snapshot.prompts.filter(({ prompt }) => !prompt.optional));
  const there = new Set(snapshot.sessions.map(({ id }) => id));
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
    drafts: ofSessions(state.drafts, there),
    attached: ofSessions(state.attached, there),
    refused: ofSessions(state.refused, there),
    seen: ofSessions(state.seen, there),
    outbox: state.outbox.filter(({ sessionId }) => there.has(sessionId)),
    alerts: snapshot.alerts ?? [],
    rules: snapshot.rules ?? null,
    // What the server no longer tells need not be remembered.
    dismissed: state.dismissed.filter((id) => snapshot.alerts?.some((alert) => alert.id === id)),
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
  return state.viewing.length === 0 ? next : withViewing(next, state.viewing);
}

/** In the order they came, everywhere: on the list, on the sheet, and for whatever is next. */
function inOrder(prompts: PendingPrompt[]): PendingPrompt[] {
  return prompts.toSorted((one, other) => (one.prompt.createdAt ?? 0) - (other.prompt.createdAt ?? 0));
}

function withSequencedEvent(state: State, seq: number, event: Event): State {
  const { sync } = state;
  // Before a snapshot, and after a gap, single events mean nothing.
  if (sync.type !== "at" || seq <= sync.seq) return state;
  if (seq !== sync.seq + 1) return { ...state, sync: { type: "gap" } };
  return reduceEvent({ ...state, sync: { ...sync, seq } }, event);
}

/** Chats that are left keep only their end; those that are opened begin with nothing. */
function withChats(state: State, sessionIds: string[]): State {
  const left = state.viewing.filter((id) => !sessionIds.includes(id));
  const kept = left.reduce((next, id) => inConversation(next, id, withoutPast), state);
  const opened = sessionIds.filter((id) => !kept.conversations[id]);
  if (opened.length === 0) return kept;
  const empty = Object.fromEntries(opened.map((id) => [id, EMPTY_CONVERSATION]));
  return { ...kept, conversations: { ...kept.conversations, ...empty } };
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
