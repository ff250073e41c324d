/* The address: what the hash says and how to write it. Everything after # stays on this device. */
import { useMemo, useSyncExternalStore } from "react";
import type { MessageId } from "@/wire/message";
import type { SessionId } from "@/wire/session";

export type Route =
  | { page: "home" }
  | { page: "new" }
  /** A chat, at its end or at one of its messages. */
  | { page: "chat"; sessionId: SessionId; messageId?: MessageId }
  /** Looking for something: in one session, or in everything there ever was. */
  | { page: "search"; sessionId?: SessionId; query?: string }
  | { page: "terminal"; sessionId: SessionId }
  | { page: "review"; sessionId: SessionId }
  | { page: "pair"; sessionId: SessionId; reviewer: SessionId }
  | { page: "settings" };

export function parseRoute(hash: string): Route {
  const parts = hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decode);
  const [head, sessionId, tail, last] = parts;
  if (head === "new") return { page: "new" };
  if (head === "settings") return { page: "settings" };
  if (head === "search") return { page: "search", ...(sessionId && { query: sessionId }) };
  if (head !== "s" || !sessionId) return { page: "home" };
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
      return "#/new";
    case "settings":
      return "#/settings";
    case "chat":
      return `#/s/${encodeURIComponent(route.sessionId)}${route.messageId ? `/m/${encodeURIComponent(route.messageId)}` : ""}`;
    case "search": {
      const place = route.sessionId ? `#/s/${encodeURIComponent(route.sessionId)}/search` : "#/search";
      return route.query ? `${place}/${encodeURIComponent(route.query)}` : place;
    }
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
