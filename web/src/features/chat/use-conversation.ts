/* What is loaded of a conversation, and how more of it is fetched: one page at a time in each direction. */
import { useEffect, useRef, useState } from "react";
import { failureText } from "@/lib/request-failed";
import { useAppState, useDispatch, useVerbs } from "@/state/app-context";
import { EMPTY_CONVERSATION } from "@/state/conversation";
import type { Conversation } from "@/state/state";
import { PAGE_SIZE } from "@/state/verbs";
import type { MessageId } from "@/wire/message";
import type { SessionId } from "@/wire/session";

/** How many messages stay loaded on either side of those in the page, and how many more make it worth the while. */
const KEPT = 2 * PAGE_SIZE;
const SLACK = 2 * PAGE_SIZE;

type Direction = "newest" | "older" | "newer";

interface LoadedConversation extends Conversation {
  /** Why nothing could be fetched. */
  problem: string | null;
  tryAgain: () => void;
  /** Fetches a page; false when none came. One of a kind at a time. */
  load: (direction: Direction) => Promise<boolean>;
  /** Lets go of what is far from the messages that are in the page. */
  keepAround: (first: MessageId | undefined, last: MessageId | undefined) => void;
}

export function useConversation(sessionId: SessionId, target: MessageId | undefined): LoadedConversation {
  const conversation = useAppState((state) => state.conversations[sessionId]) ?? EMPTY_CONVERSATION;
  const live = useAppState((state) => state.connection.type === "live");
  const { loadMessages, loadAround } = useVerbs();
  const dispatch = useDispatch();
  const [problem, setProblem] = useState<string | null>(null);
  const loading = useRef(new Set<Direction>());
  const { messages, stale, atEnd } = conversation;
  const isLoaded = target === undefined || messages.some(({ id }) => id === target);
  // A message that is nowhere is asked for once.
  const [sought, setSought] = useState<MessageId | undefined>(undefined);

  // A connection that came back is a reason to try again by itself.
  const [wasLive, setWasLive] = useState(live);
  if (live !== wasLive) {
    setWasLive(live);
    if (live) setProblem(null);
  }

  useEffect(() => {
    if (!live || problem !== null) return;
    const told = (error: unknown) => setProblem(failureText(error));
    if (target !== undefined && !isLoaded && sought !== target) {
      loadAround(sessionId, target).then(() => setSought(target), told);
    } else if (stale && atEnd) {
      loadMessages(sessionId, "newest").catch(told);
    }
  }, [sessionId, target, isLoaded, sought, stale, atEnd, live, problem, loadAround, loadMessages]);

  async function load(direction: Direction): Promise<boolean> {
    // What lies beyond an end is known only when the end is.
    if (loading.current.has(direction) || (stale && direction !== "newest")) return false;
    loading.current.add(direction);
    try {
      await loadMessages(sessionId, direction);
      return true;
    } catch {
      // Scrolling on asks again; the connection strip says why nothing comes.
      return false;
    } finally {
      loading.current.delete(direction);
    }
  }

  function keepAround(first: MessageId | undefined, last: MessageId | undefined) {
    const from = messages.findIndex(({ id }) => id === first);
    const to = messages.findLastIndex(({ id }) => id === last);
    if (from < 0 || to < 0 || messages.length <= to - from + 2 * KEPT + SLACK) return;
    const kept = messages.slice(Math.max(0, from - KEPT), to + 1 + KEPT);
    const [begin, end] = [kept[0], kept.at(-1)];
    if (begin && end) dispatch({ type: "messages-kept", sessionId, first: begin.id, last: end.id });
  }

  return { ...conversation, problem, tryAgain: () => setProblem(null), load, keepAround };
}
