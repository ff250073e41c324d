/* The address: what the hash says and how to write it. Everything after # stays on this device. */
import { useMemo, useSyncExternalStore } from "react";
import type { MessageId } from "@/wire/message";
import type { PromptId } from "@/wire/prompt";
import type { AdapterKind, SessionId } from "@/wire/session";

export type Route =
  | { page: "home" }
  /** The form for a new session, with what is already chosen. */
  | { page: "new"; adapter?: AdapterKind; folder?: string }
  /** A chat, at its end or at one of its messages. */
  | { page: "chat"; sessionId: SessionId; messageId?: MessageId }
  /** Looking for something: in one session, or in everything there ever was. */
  | { page: "search"; sessionId?: SessionId; query?: string }
  /** What was asked and answered: in one session, or in all; as a list or in numbers. */
  | { page: "history"; sessionId?: SessionId }
  | { page: "insight" }
  | { page: "terminal"; sessionId: SessionId }
  | { page: "review"; sessionId: SessionId }
  | { page: "pair"; sessionId: SessionId; reviewer: SessionId }
  | { page: "settings" }
  | { page: "rules" }
  /** A prompt, as a notification names it: it becomes the chat that asks, with the sheet raised. */
  | { page: "prompt"; requestId: PromptId };

export function parseRoute(hash: string): Route {
  const parts = hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decode);
  const [head, sessionId, tail, last] = parts;
  if (head === "new") {
    return {
      page: "new",
      ...(sessionId && { adapter: sessionId }),
      ...(tail && { folder: tail }),
    };
  }
  if (head === "settings") return { page: sessionId === "rules" ? "rules" : "settings" };
  if (head === "history") return { page: sessionId === "insight" ? "insight" : "history" };
  if (head === "p" && sessionId) return { page: "prompt", requestId: sessionId };
  if (head === "search") return { page: "search", ...(sessionId && { query: sessionId }) };
  if (head !== "s" || !sessionId) return { page: "home" };
  if (tail === "history") return { page: "history", sessionId };
  if (tail === "terminal") return { page: "terminal", sessionId };
  if (tail === "review") {
    return last ? { page: "pair", sessionId, reviewer: last } : { page: "review", sessionId };
  }
  if (tail === "search") return { page: "search", sessionId, ...(last && { query: last }) };
  return { page: "chat", sessionId, ...(tail === "m" && last && { messageId: last }) };
}

export function hrefOf(route: Route): string {
  switch (route.page) {
    case "home":
      return "#/";
    case "new":
      return ["#/new", route.adapter, route.folder]
        .map((part, at) => (at > 0 && part ? encodeURIComponent(part) : part))
        .filter(Boolean)
        .join("/");
    case "settings":
      return "#/settings";
    case "rules":
      return "#/settings/rules";
    case "prompt":
      return `#/p/${encodeURIComponent(route.requestId)}`;
    case "chat":
      return `#/s/${encodeURIComponent(route.sessionId)}${route.messageId ? `/m/${encodeURIComponent(route.messageId)}` : ""}`;
    case "search": {
      const place = route.sessionId ? `#/s/${encodeURIComponent(route.sessionId)}/search` : "#/search";
      return route.query ? `${place}/${encodeURIComponent(route.query)}` : place;
    }
    case "history":
      return route.sessionId ? `#/s/${encodeURIComponent(route.sessionId)}/history` : "#/history";
    case "insight":
      return "#/history/insight";
    case "terminal":
      return `#/s/${encodeURIComponent(route.sessionId)}/terminal`;
    case "review":
      return `#/s/${encodeURIComponent(route.sessionId)}/review`;
    case "pair":
      return `#/s/${encodeURIComponent(route.sessionId)}/review/${encodeURIComponent(route.reviewer)}`;
  }
}

export function navigate(route: Route): void {
  location.hash = hrefOf(route);
}

/** Goes there without leaving the present page in the history: for pages that are over. */
export function replaceRoute(route: Route): void {
  location.replace(hrefOf(route));
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  return useMemo(() => parseRoute(hash), [hash]);
}

function subscribe(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
