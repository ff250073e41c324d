/* Ended sessions and the CLIs' own conversations as one list, newest first, each once. Pure. */
import { hasWords, sessionHasWords } from "@/state/session-match";
import { endWords } from "@/words/session-words";
import { sizeWords } from "@/words/size-words";
import type { Resumed } from "@/state/verbs";
import type { AdapterKind, ConversationInfo, Session, SessionId } from "@/wire/session";

export interface Earlier {
  key: string;
  adapter: AdapterKind;
  title: string;
  folder: string | undefined;
  /** When something was last done there. */
  at: number;
  /** How it ended, or how long it is. */
  detail: string;
  /** The ended session, which can still be read. */
  sessionId?: SessionId;
  /** How to go on with it, where that is possible. */
  resumed?: Resumed;
}

export function earlierOf(sessions: Session[], conversations: ConversationInfo[], query: string): Earlier[] {
  // A conversation that a session of ours was in stands there as that session.
  const known = new Set(sessions.map(({ conversation }) => conversation));
  return [
    ...sessions.filter((session) => sessionHasWords(session, query)).flatMap(ofSession),
    ...conversations
      .filter(({ id, title, folder }) => !known.has(id) && hasWords([title, folder ?? ""], query))
      .map(ofConversation),
  ].sort((a, b) => b.at - a.at);
}

function ofSession(session: Session): Earlier[] {
  const { id, adapter, name, folder, state, stateSince, conversation, mode } = session;
  if (state.type !== "ended") return [];
  return [
    {
      key: id,
      adapter,
      title: name,
      folder,
      at: stateSince,
      detail: endWords(state.reason),
      sessionId: id,
      ...(conversation !== undefined && { resumed: { adapter, folder, name, mode, conversation } }),
    },
  ];
}

function ofConversation({
  adapter,
  id,
  folder,
  title,
  updatedAt,
  size,
  messages,
}: ConversationInfo): Earlier {
  return {
    key: `${adapter} ${id}`,
    adapter,
    title,
    folder,
    at: updatedAt,
    detail: sizeWords({ size, ...(messages !== undefined && { messages }) }),
    ...(folder !== undefined && { resumed: { adapter, folder, conversation: id } }),
  };
}
