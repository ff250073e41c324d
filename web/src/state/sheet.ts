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
  if (state.viewing === null || prompt.sessionId !== state.viewing) return state;
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

export function withViewing(state: State, sessionId: SessionId | null): State {
  if (sessionId === null) return { ...state, viewing: null };
  const session = state.sessions[sessionId];
  const next = {
    ...state,
    viewing: sessionId,
    seen: session ? { ...state.seen, [sessionId]: session.messageCount } : state.seen,
  };
  return state.sheet.shown === null ? withNextRaised(next) : next;
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
      (state.viewing === null || prompt.sessionId === state.viewing),
  );
  if (!next) return state;
  return { ...state, sheet: { ...state.sheet, shown: next.prompt.requestId } };
}
