/* What each of the server's events does to the state. Pure; sequence numbers were checked by the caller. */
import { adapterName } from "@/words/adapter-names";
import { closingWords } from "@/words/closing-words";
import { withDelta, withMessage } from "@/state/conversation";
import { withoutTold } from "@/state/outbox";
import { without } from "@/state/record";
import { withPromptClosed, withPromptRisen } from "@/state/sheet";
import type { Conversation, OwnAnswer, State } from "@/state/state";
import type {
  AnswerProgress,
  InteractivePrompt,
  PendingPrompt,
  PromptId,
  PromptOutcome,
} from "@/wire/prompt";
import type { Event } from "@/wire/protocol";
import type { Session, SessionId } from "@/wire/session";

export function reduceEvent(state: State, event: Event): State {
  switch (event.type) {
    case "session":
      return withSession(state, event.session);
    case "session-forgotten":
      return withoutSession(state, event.sessionId);
    case "prompt":
      return withPrompt(state, event.prompt);
    case "prompt-progress":
      return withProgress(state, event.progress);
    case "prompt-closed":
      return withoutPrompt(state, event.requestId, event.outcome);
    case "message":
      return withoutTold(
        inViewed(state, event.sessionId, (known) => withMessage(known, event.message)),
        event.sessionId,
        [event.message],
      );
    case "message-delta":
      return inViewed(state, event.sessionId, (known) => withDelta(known, event.messageId, event.text));
    case "adapters":
      return { ...state, adapters: event.adapters };
    case "alert":
      return { ...state, alerts: [...state.alerts, event.alert] };
    case "rules":
      return { ...state, rules: event.status };
    case "many-messages":
      return inConversation(state, event.sessionId, asStale);
    default:
      // A newer server may say things this page does not know; they are counted and otherwise ignored.
      return state;
  }
}

function withSession(state: State, session: Session): State {
  const next = { ...state, sessions: { ...state.sessions, [session.id]: session } };
  if (!state.visible || !state.viewing.includes(session.id)) return next;
  return { ...next, seen: { ...state.seen, [session.id]: session.messageCount } };
}

function withoutSession(state: State, sessionId: SessionId): State {
  return {
    ...state,
    sessions: without(state.sessions, sessionId),
    conversations: without(state.conversations, sessionId),
    screens: without(state.screens, sessionId),
    drafts: without(without(state.drafts, sessionId), `${sessionId} back`),
    attached: without(state.attached, sessionId),
    refused: without(state.refused, sessionId),
    outbox: state.outbox.filter((outgoing) => outgoing.sessionId !== sessionId),
    taken: state.taken.filter((taken) => taken.sessionId !== sessionId),
    seen: without(state.seen, sessionId),
    prompts: state.prompts.filter(({ prompt }) => prompt.sessionId !== sessionId),
    asides: state.asides.filter(({ prompt }) => prompt.sessionId !== sessionId),
  };
}

/** The list of prompts that one belongs to. */
function listOf({ optional }: InteractivePrompt): "prompts" | "asides" {
  return optional ? "asides" : "prompts";
}

/** A prompt, wherever it is listed. */
function findPrompt(state: State, requestId: PromptId): PendingPrompt | undefined {
  return [...state.prompts, ...state.asides].find(({ prompt }) => prompt.requestId === requestId);
}

function withPending(state: State, known: PendingPrompt, pending: PendingPrompt): State {
  const list = listOf(known.prompt);
  return { ...state, [list]: state[list].map((one) => (one === known ? pending : one)) };
}

function withPrompt(state: State, prompt: InteractivePrompt): State {
  const known = findPrompt(state, prompt.requestId);
  if (known) return withPending(state, known, { ...known, prompt });
  const list = listOf(prompt);
  const next = { ...state, [list]: [...state[list], { prompt }] };
  return prompt.optional ? next : withPromptRisen(next, prompt);
}

function withProgress(state: State, progress: AnswerProgress): State {
  const { requestId, step } = progress;
  const known = findPrompt(state, requestId);
  if (!known) return state;
  return {
    ...withPending(state, known, { ...known, progress }),
    ownAnswers: afterProgress(state.ownAnswers, requestId, step.type === "failed"),
  };
}

/** From here on the server's word counts; the response is kept only to be tried again. */
function afterProgress(
  answers: State["ownAnswers"],
  requestId: PromptId,
  failed: boolean,
): State["ownAnswers"] {
  const own = answers[requestId];
  if (!own) return answers;
  const status: OwnAnswer["status"] = failed ? "failed" : "accepted";
  return { ...answers, [requestId]: { status, ...(own.response && { response: own.response }) } };
}

function withoutPrompt(state: State, requestId: PromptId, outcome: PromptOutcome): State {
  const closed = findPrompt(state, requestId);
  if (!closed) return state;
  const list = listOf(closed.prompt);
  const next = {
    ...state,
    [list]: state[list].filter((pending) => pending !== closed),
    ownAnswers: without(state.ownAnswers, requestId),
  };
  // What may be left alone may also go without a word.
  if (closed.prompt.optional && outcome.type !== "verified") return next;
  const who = adapterName(state.adapters, closed.prompt.adapter);
  const words = closingWords(closed.prompt, outcome, state.server?.deviceId ?? null, who);
  return withPromptClosed(next, requestId, words);
}

/** What is said in a conversation that nobody looks at is not collected: opening it loads its newest page. */
function inViewed(state: State, id: SessionId, change: (known: Conversation) => Conversation): State {
  return inConversation(state, id, state.viewing.includes(id) ? change : asStale);
}

function asStale(conversation: Conversation): Conversation {
  // A page that is on its way may have been read before this happened.
  return { ...conversation, stale: conversation.stale ? "again" : true };
}

/** Conversations that were never opened are not known. */
export function inConversation(
  state: State,
  id: SessionId,
  change: (known: Conversation) => Conversation,
): State {
  const known = state.conversations[id];
  if (!known) return state;
  const changed = change(known);
  return changed === known ? state : { ...state, conversations: { ...state.conversations, [id]: changed } };
}
