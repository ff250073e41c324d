/* A conversation as it grows: pages from the past at the front, events at the back. Pure. */
import type { Conversation } from "@/state/state";
import type { Message, MessageId } from "@/wire/message";

export const EMPTY_CONVERSATION: Conversation = { messages: [], atStart: false, stale: true };

/** A message is new, or takes the place of the one with its id. */
export function withMessage(conversation: Conversation, message: Message): Conversation {
  const at = conversation.messages.findLastIndex(({ id }) => id === message.id);
  const messages = at < 0 ? [...conversation.messages, message] : conversation.messages.with(at, message);
  return { ...conversation, messages };
}

/** More of a text that is being written; unknown messages and other bodies are left alone. */
export function withDelta(conversation: Conversation, messageId: MessageId, text: string): Conversation {
  const at = conversation.messages.findLastIndex(({ id }) => id === messageId);
  const message = conversation.messages[at];
  if (!message || (message.body.type !== "text" && message.body.type !== "thinking")) return conversation;
  const grown = { ...message, body: { ...message.body, text: message.body.text + text } };
  return { ...conversation, messages: conversation.messages.with(at, grown) };
}

/** An older page goes in front. */
export function withOlderPage(conversation: Conversation, page: Message[], atStart: boolean): Conversation {
  const known = new Set(conversation.messages.map(({ id }) => id));
  const older = page.filter(({ id }) => !known.has(id));
  return { ...conversation, messages: [...older, ...conversation.messages], atStart };
}

/**
 * The newest page, asked for on opening and after a resync. Where it reaches back to what is known the two are
 * joined; where it does not, there may be a hole between them, so only what is newer than the page is kept.
 */
export function withNewestPage(conversation: Conversation, page: Message[], atStart: boolean): Conversation {
  const { messages } = conversation;
  const known = new Map(messages.map((message) => [message.id, message]));
  const inPage = new Set(page.map(({ id }) => id));
  const joined = page.map((message) => moreComplete(known.get(message.id), message));
  const first = messages.findIndex(({ id }) => inPage.has(id));
  if (first < 0) {
    const end = page.at(-1)?.at ?? 0;
    return { messages: [...joined, ...messages.filter(({ at }) => at >= end)], atStart, stale: false };
  }
  const last = messages.findLastIndex(({ id }) => inPage.has(id));
  return {
    messages: [...messages.slice(0, first), ...joined, ...messages.slice(last + 1)],
    atStart: first > 0 ? conversation.atStart : atStart,
    stale: false,
  };
}

/** An event may have overtaken the page: the version that says more is the later one. */
function moreComplete(known: Message | undefined, loaded: Message): Message {
  if (!known) return loaded;
  return weight(known) > weight(loaded) ? known : loaded;
}

function weight({ body }: Message): number {
  switch (body.type) {
    case "text":
      return body.text.length + (body.streaming ? 0 : 1);
    case "tool":
      return body.result ? 1 : 0;
    case "thinking":
    case "notice":
      return body.text.length;
  }
}
