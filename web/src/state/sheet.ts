/*
 * When the sheet rises, lowers and goes on. It rises by itself only over the chat of the session that asks:
 * anywhere else the prompt is in the inbox, and rising would take the page from under the thumb. Pure.
 */
import type { Notice, State } from "@/state/state";
import type { InteractivePrompt, PromptId } from "@/wire/prompt";
import type { SessionId } from "@/wire/session";

export function withPromptRisen(state: State, prompt: InteractivePrompt): State {
  const { sheet } = state;
  if (sheet.shown !== null || state.notice?.fromSheet) return state;
  if (!isOpen(state, prompt)) return state;
  return { ...state, sheet: { ...sheet, shown: prompt.requestId } };
}

/** The notice takes the sheet's place, so that no other prompt slides under a finger that is on its way. */
export function withPromptClosed(
  state: State,
  requestId: PromptId,
  words: Pick<Notice, "tone" | "text">,
): State {
  const fromSheet = state.sheet.shown === requestId;
  return {
    ...withNotice(state, words, fromSheet),
    sheet: {
      shown: fromSheet ? null : state.sheet.shown,
      lowered: state.sheet.lowered.filter((id) => id !== requestId),
    },
  };
}

export function withNotice(state: State, words: Pick<Notice, "tone" | "text">, fromSheet: boolean): State {
  return { ...state, notice: { ...words, id: (state.notice?.id ?? 0) + 1, fromSheet } };
}

export function withNoticeOver(state: State, id: number): State {
  if (state.notice?.id !== id) return state;
  const { fromSheet } = state.notice;
  const next = { ...state, notice: null };
  return fromSheet ? withNextRaised(next) : next;
}

export function withViewing(state: State, sessionIds: SessionId[]): State {
  const next = withSeen({ ...state, viewing: sessionIds });
  if (sessionIds.length === 0) return next;
  return state.sheet.shown === null ? withNextRaised(next) : next;
}

export function withVisible(state: State, visible: boolean): State {
  return state.visible === visible ? state : withSeen({ ...state, visible });
}

/** What the open chats have said counts as seen, if anybody looks. */
function withSeen(state: State): State {
  if (!state.visible) return state;
  const seen = { ...state.seen };
  for (const id of state.viewing) {
    const session = state.sessions[id];
    if (session) seen[id] = session.messageCount;
  }
  return { ...state, seen };
}

/** True over the chat of the session that asks. */
function isOpen({ viewing }: State, { sessionId }: InteractivePrompt): boolean {
  return sessionId !== undefined && viewing.includes(sessionId);
}

export function withLowered(state: State): State {
  const { shown, lowered } = state.sheet;
  return shown === null ? state : { ...state, sheet: { shown: null, lowered: [...lowered, shown] } };
}

export function withRaised(state: State, requestId: PromptId): State {
  if (!state.prompts.some(({ prompt }) => prompt.requestId === requestId)) return state;
  const lowered = state.sheet.lowered.filter((id) => id !== requestId);
  return { ...state, sheet: { shown: requestId, lowered } };
}

/** The oldest prompt of the open chat, or outside a chat the oldest of all; lowered ones stay lowered. */
function withNextRaised(state: State): State {
  const next = state.prompts.find(
    ({ prompt }) =>
      !state.sheet.lowered.includes(prompt.requestId) &&
      (state.viewing.length === 0 || isOpen(state, prompt)),
  );
  if (!next) return state;
  return { ...state, sheet: { ...state.sheet, shown: next.prompt.requestId } };
}
