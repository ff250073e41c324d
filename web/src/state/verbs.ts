/*
 * What a person can do, each as one function: tells the state that it began, asks the server, tells the state how
 * it ended. Components call these and nothing else of the socket.
 */
import { handOver, takeBack } from "@/lib/api";
import { tick } from "@/lib/haptics";
import { failureText, RequestFailed } from "@/lib/request-failed";
import { createRequestKeys } from "@/lib/request-key";
import type { Socket } from "@/lib/socket";
import { freshUuid } from "@/lib/uuid";
import type { Place } from "@/state/conversation";
import type { Store } from "@/state/store";
import type { AttachedFile } from "@/wire/compose";
import type { MessageId } from "@/wire/message";
import type { PromptId, PromptResponse } from "@/wire/prompt";
import type { Command, ReplyData } from "@/wire/protocol";
import type { Key } from "@/wire/screen";
import type { AdapterKind, PermissionMode, SessionId, StartSession } from "@/wire/session";

/** A screenful several times over, and still quick to render on an old phone. */
export const PAGE_SIZE = 100;

/** An earlier conversation to go on with. */
export interface Resumed {
  adapter: AdapterKind;
  folder: string;
  /** The CLI's own id of it. */
  conversation: string;
  name?: string | undefined;
  mode?: PermissionMode | undefined;
}

export type Verbs = ReturnType<typeof createVerbs>;

export function createVerbs(store: Store, socket: Pick<Socket, "request" | "watch">) {
  const { dispatch, getState } = store;
  const startKeys = createRequestKeys();

  /** Asks for one kind of reply; another kind is a fault of the server's. */
  async function ask<Kind extends ReplyData["type"]>(command: Command, kind: Kind) {
    const data = await socket.request(command);
    if (data.type !== kind) throw new RequestFailed("internal", "The server's reply was not understood.");
    return data as Extract<ReplyData, { type: Kind }>;
  }

  /** Does something whose failure is told in a notice, because no form waits for it. */
  async function tryTo(command: Command): Promise<boolean> {
    try {
      await socket.request(command);
      return true;
    } catch (error) {
      dispatch({ type: "notice", tone: "bad", text: failureText(error) });
      return false;
    }
  }

  async function sendResponse(response: PromptResponse, secret: boolean) {
    const { requestId } = response;
    const kept = secret ? {} : { response };
    dispatch({ type: "answer", requestId, answer: { status: "sending", ...kept } });
    try {
      await socket.request({ type: "respond", response });
      dispatch({ type: "answer-accepted", requestId });
    } catch (error) {
      const unsure = error instanceof RequestFailed && (error.unsure || error.code === "not-sent");
      dispatch({
        type: "answer",
        requestId,
        answer: { status: unsure ? "unsent" : "refused", message: failureText(error), ...kept },
      });
    }
  }

  /** Loads the newest page, or the one before or after what is loaded. */
  async function loadMessages(sessionId: SessionId, place: "newest" | "older" | "newer") {
    const loaded = getState().conversations[sessionId]?.messages ?? [];
    const before = place === "older" ? loaded[0]?.id : undefined;
    const after = place === "newer" ? loaded.at(-1)?.id : undefined;
    await loadPage(sessionId, place, {
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    });
  }

  /** Loads what surrounds a message, instead of what is loaded. */
  async function loadAround(sessionId: SessionId, around: MessageId) {
    await loadPage(sessionId, "around", { around });
  }

  async function loadPage(
    sessionId: SessionId,
    place: Place,
    where: { before?: MessageId; after?: MessageId; around?: MessageId },
  ) {
    const command = { type: "messages", sessionId, limit: PAGE_SIZE, ...where } as const;
    const { messages, atStart, atEnd } = await ask(command, "messages");
    dispatch({ type: "messages-loaded", sessionId, place, messages, atStart, atEnd });
  }

  /** Starts a session, and only one however often the connection breaks meanwhile. */
  async function startOnce(start: StartSession): Promise<SessionId> {
    const idempotencyKey = startKeys.keyFor(start);
    try {
      const { sessionId } = await ask({ type: "start", start: { ...start, idempotencyKey } }, "started");
      startKeys.settled(null);
      return sessionId;
    } catch (error) {
      startKeys.settled(error);
      throw error;
    }
  }

  /** Goes on with a conversation in a new session, and says which. Never asking is chosen anew each time. */
  async function resume({ adapter, folder, conversation, name, mode }: Resumed): Promise<SessionId> {
    const start = {
      adapter,
      folder,
      resume: conversation,
      ...(name !== undefined && { name }),
      ...(mode !== undefined && mode !== "bypass" && { mode }),
    };
    return startOnce(start);
  }

  /** Puts a message into the outbox, from where it goes out as soon as it can. */
  function sendText(
    sessionId: SessionId,
    text: string,
    files: AttachedFile[] = [],
    from: "composer" | "elsewhere" = "composer",
  ) {
    const outgoing = { key: freshUuid(), sessionId, text, files, at: Date.now(), status: "waiting" } as const;
    dispatch({ type: "enqueued", outgoing, from });
  }

  /** Tries a message again that the server would not take: as a new one, because the first is settled. */
  function sendAgain(key: string) {
    dispatch({ type: "outgoing", key, change: { key: freshUuid(), status: "waiting", note: undefined } });
  }

  /** Hands a file over that is to go with the message being written. */
  async function attach(sessionId: SessionId, file: File) {
    const attached = await handOver(sessionId, file);
    const files = getState().attached[sessionId] ?? [];
    dispatch({ type: "attached", sessionId, files: [...files, attached] });
  }

  /** Takes it back; that it stays on the server until the session is forgotten is no harm. */
  function detach(sessionId: SessionId, id: string) {
    const files = (getState().attached[sessionId] ?? []).filter((file) => file.id !== id);
    dispatch({ type: "attached", sessionId, files });
    takeBack(sessionId, id).catch(() => undefined);
  }

  /** A fresh answer, with a key of its own. */
  async function respond(response: PromptResponse, secret: boolean) {
    tick();
    await sendResponse({ ...response, idempotencyKey: freshUuid() }, secret);
  }

  /**
   * The same answer again. If nobody knows whether the first one arrived it keeps its key, so that it counts
   * once; if the server said that it failed, it is a new one.
   */
  async function respondAgain(requestId: PromptId) {
    const own = getState().ownAnswers[requestId];
    if (!own?.response) return;
    const fresh = own.status === "unsent" ? {} : { idempotencyKey: freshUuid() };
    await sendResponse({ ...own.response, ...fresh }, false);
  }

  const watch = (sessionId: SessionId) => socket.watch(sessionId);
  /** Presses keys on the screen that was seen, which says what it asks. */
  const pressKeys = (sessionId: SessionId, keys: Key[], seen: number | undefined) =>
    tryTo({ type: "send-keys", sessionId, keys, ...(seen !== undefined && { seen }) });

  return {
    ask,
    tryTo,
    watch,
    pressKeys,
    loadMessages,
    loadAround,
    startOnce,
    resume,
    sendText,
    sendAgain,
    attach,
    detach,
    respond,
    respondAgain,
  };
}
