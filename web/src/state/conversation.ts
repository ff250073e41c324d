/*
 * A conversation as it is loaded: pages at both ends, events at the back. It never has a hole; where one could be, the
 * newest page is asked for again. Pure.
 */
import type { Conversation } from "@/state/state";
import type { Message, MessageId } from "@/wire/message";

/** Where a page belongs: at the end, before or after what is loaded, or instead of it. */
export type Place = "newest" | "older" | "newer" | "around";

export interface Page {
  messages: Message[];
  atStart: boolean;
  atEnd: boolean;
}

export const EMPTY_CONVERSATION: Conversation = { messages: [], atStart: false, atEnd: true, stale: true };

/** How many messages of a conversation that is not looked at are kept, to be there at once when it is opened again. */
const KEPT = 100;

export function withPage(conversation: Conversation, place: Place, page: Page): Conversation {
  switch (place) {
    case "newest":
      return withNewestPage(conversation, page);
    case "older":
      return withOlderPage(conversation, page);
    case "newer":
      return withNewerPage(conversation, page);
    case "around":
      // What was said while the page was on its way is in the newest one.
      return { ...page, stale: page.atEnd };
  }
}

/** A message is new, or takes the place of the one with its id. New ones go only behind the end. */
export function withMessage(conversation: Conversation, message: Message): Conversation {
  const at = conversation.messages.findLastIndex(({ id }) => id === message.id);
  if (at < 0 && !conversation.atEnd) return conversation;
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

/** Only the messages from one to another stay; one that is not known leaves everything. */
export function withKept(conversation: Conversation, first: MessageId, last: MessageId): Conversation {
  const { messages, atStart, atEnd } = conversation;
  const from = messages.findIndex(({ id }) => id === first);
  const to = messages.findLastIndex(({ id }) => id === last) + 1;
  if (from < 0 || to <= from) return conversation;
  return {
    ...conversation,
    messages: messages.slice(from, to),
    atStart: atStart && from === 0,
    atEnd: atEnd && to === messages.length,
  };
}

/** Nobody looks at it any more: its end stays, to be shown at once the next time. */
export function withoutPast(conversation: Conversation): Conversation {
  const { messages, atStart, atEnd } = conversation;
  if (!atEnd) return EMPTY_CONVERSATION;
  return {
    ...conversation,
    messages: messages.slice(-KEPT),
    atStart: atStart && messages.length <= KEPT,
  };
}

function withOlderPage(conversation: Conversation, { messages, atStart }: Page): Conversation {
  const known = new Set(conversation.messages.map(({ id }) => id));
  const older = messages.filter(({ id }) => !known.has(id));
  return { ...conversation, messages: [...older, ...conversation.messages], atStart };
}

/** At the end something may have been said while the page was on its way: the newest page tells. */
function withNewerPage(conversation: Conversation, { messages, atEnd }: Page): Conversation {
  const known = new Set(conversation.messages.map(({ id }) => id));
  const newer = messages.filter(({ id }) => !known.has(id));
  return { ...conversation, messages: [...conversation.messages, ...newer], atEnd, stale: atEnd };
}

/**
 * The newest page, asked for on opening and after a resync. Where it reaches back to what is known the two are
 * joined; where it does not, there may be a hole between them, so only what is newer than the page is kept.
 */
function withNewestPage(conversation: Conversation, page: Page): Conversation {
  const { messages } = conversation;
  const stale = conversation.stale === "again";
  const known = new Map(messages.map((message) => [message.id, message]));
  const inPage = new Set(page.messages.map(({ id }) => id));
  const joined = page.messages.map((message) => moreComplete(known.get(message.id), message));
  const first = messages.findIndex(({ id }) => inPage.has(id));
  if (first < 0) {
    const end = page.messages.at(-1)?.at ?? 0;
    const newer = conversation.atEnd ? messages.filter(({ at }) => at >= end) : [];
    return { messages: [...joined, ...newer], atStart: page.atStart, atEnd: true, stale };
  }
  const last = messages.findLastIndex(({ id }) => inPage.has(id));
  return {
    messages: [...messages.slice(0, first), ...joined, ...messages.slice(last + 1)],
    atStart: first > 0 ? conversation.atStart : page.atStart,
    atEnd: true,
    stale,
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
    case "automatic":
      return 0;
  }
}
