/*
 * Messages that this device has not handed over yet. Pure; `state/send-outbox.ts` sends them.
 * Each keeps its key until the server has said what became of it, so that it goes out once however often it is sent.
 */
import { without } from "@/state/record";
import type { State } from "@/state/state";
import type { AttachedFile } from "@/wire/compose";
import type { Message, MessageId } from "@/wire/message";
import type { SessionId } from "@/wire/session";

export interface Outgoing {
  /** The idempotency key. */
  key: string;
  sessionId: SessionId;
  text: string;
  files: AttachedFile[];
  /** When it was written; they go out in this order. */
  at: number;
  /** `held`: the server would not take it, and the person has to say what now. */
  status: "waiting" | "sending" | "held";
  /** Why it waits or is held, for people. */
  note?: string;
  /** True when it was sent and no reply came: it may have arrived. It goes out again under the same key, and counts once. */
  unsure?: true;
  /** The last message of the conversation when it was sent: what tells of it comes after. */
  after?: MessageId;
  /** True when another tab wrote it while this one was open: that one sends it first. */
  elsewhere?: true;
}

/** What is not defined in it is taken away. */
export type OutgoingChange = { [Name in keyof Outgoing]?: Outgoing[Name] | undefined };

/** A message that the server has, until the conversation tells of it. */
export interface Taken {
  key: string;
  sessionId: SessionId;
  text: string;
  at: number;
}

/** A message that was refused and stands in the composer again. */
export interface Refused {
  code: string;
  message: string;
}

/** From the composer into the outbox. */
export function withEnqueued(state: State, outgoing: Outgoing, from: "composer" | "elsewhere"): State {
  const { sessionId } = outgoing;
  const after = state.conversations[sessionId]?.messages.at(-1)?.id;
  const next = {
    ...state,
    outbox: [...state.outbox, { ...outgoing, ...(after !== undefined && { after }) }],
  };
  if (from === "elsewhere") return next;
  return {
    ...next,
    drafts: without(state.drafts, sessionId),
    attached: without(state.attached, sessionId),
    refused: without(state.refused, sessionId),
  };
}

export function withChanged(state: State, key: string, change: OutgoingChange): State {
  const at = state.outbox.findIndex((outgoing) => outgoing.key === key);
  const known = state.outbox[at];
  if (!known) return state;
  const changed = { ...known, ...change };
  if (changed.note === undefined) delete changed.note;
  if (changed.unsure === undefined) delete changed.unsure;
  return { ...state, outbox: state.outbox.with(at, changed) };
}

/** The server has it: it stays on the page until the conversation tells of it. */
export function withTaken(state: State, key: string, at: number): State {
  const outgoing = state.outbox.find((known) => known.key === key);
  if (!outgoing) return state;
  const { sessionId, text } = outgoing;
  const shows = state.sessions[sessionId]?.hasMessages && text.trim() !== "";
  const taken = shows ? [...state.taken, { key, sessionId, text, at }] : state.taken;
  // The conversation may have told of it before the server's reply was here.
  const messages = state.conversations[sessionId]?.messages ?? [];
  const since = messages.findLastIndex(({ id }) => id === outgoing.after) + 1;
  return withoutTold(withRemoved({ ...state, taken }, key), sessionId, messages.slice(since));
}

/** Of what was handed over, what these messages tell of is told; each message tells of one. */
export function withoutTold(state: State, sessionId: SessionId, messages: Message[]): State {
  if (!state.taken.some((taken) => taken.sessionId === sessionId)) return state;
  const told = messages.flatMap(({ role, body }) =>
    role === "user" && body.type === "text" ? [plain(body.text)] : [],
  );
  const left = state.taken.filter((taken) => {
    const at = taken.sessionId === sessionId ? told.indexOf(plain(taken.text)) : -1;
    if (at >= 0) told.splice(at, 1);
    return at < 0;
  });
  return left.length === state.taken.length ? state : { ...state, taken: left };
}

function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

export function withRemoved(state: State, key: string): State {
  if (!state.outbox.some((outgoing) => outgoing.key === key)) return state;
  return { ...state, outbox: state.outbox.filter((outgoing) => outgoing.key !== key) };
}

/** Back into the composer, before what stands there. */
export function withEdited(state: State, key: string): State {
  const outgoing = state.outbox.find((known) => known.key === key);
  if (!outgoing) return state;
  const { sessionId, text, files } = outgoing;
  const draft = state.drafts[sessionId] ?? "";
  const both = [...files, ...(state.attached[sessionId] ?? [])];
  return {
    ...withRemoved(state, key),
    drafts: { ...state.drafts, [sessionId]: draft === "" ? text : `${text}\n${draft}` },
    attached: both.length > 0 ? { ...state.attached, [sessionId]: both } : state.attached,
  };
}

/** The server will not take it. It stands in the composer again, unless the next one is already being written there. */
export function withRefused(state: State, key: string, refused: Refused): State {
  const outgoing = state.outbox.find((known) => known.key === key);
  if (!outgoing) return state;
  const { sessionId } = outgoing;
  const writing = (state.drafts[sessionId] ?? "") !== "" || (state.attached[sessionId] ?? []).length > 0;
  const others = state.outbox.some((known) => known.sessionId === sessionId && known.key !== key);
  if (writing || others) return withChanged(state, key, { status: "held", note: refused.message });
  return { ...withEdited(state, key), refused: { ...state.refused, [sessionId]: refused } };
}

/** What another tab of this device has put in, changed or taken out. */
export function withElsewhere(state: State, key: string, outgoing: Outgoing | undefined): State {
  if (!outgoing) return withRemoved(state, key);
  const known = state.outbox.find((entry) => entry.key === key);
  if (known) return known.status === "sending" ? state : withChanged(state, key, outgoing);
  const added: Outgoing = { ...outgoing, elsewhere: true };
  return { ...state, outbox: [...state.outbox, added].sort((one, other) => one.at - other.at) };
}

/** The first of each session: the others wait behind it, so that they go out in order. */
export function heads(outbox: readonly Outgoing[]): Outgoing[] {
  const seen = new Set<SessionId>();
  return outbox.filter(({ sessionId }) => !seen.has(sessionId) && seen.add(sessionId));
}
