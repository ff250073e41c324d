/* The address: what the hash says and how to write it. Everything after # stays on this device. */
import { useMemo, useSyncExternalStore } from "react";
import type { SessionId } from "@/wire/session";

export type Route =
  | { page: "home" }
  | { page: "new" }
  | { page: "chat"; sessionId: SessionId }
  | { page: "terminal"; sessionId: SessionId }
  | { page: "review"; sessionId: SessionId }
  | { page: "pair"; sessionId: SessionId; reviewer: SessionId }
  | { page: "settings" };

export function parseRoute(hash: string): Route {
  const parts = hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decode);
  const [head, sessionId, tail, reviewer] = parts;
  if (head === "new") return { page: "new" };
  if (head === "settings") return { page: "settings" };
  if (head === "s" && sessionId && tail === "review") {
    return reviewer ? { page: "pair", sessionId, reviewer } : { page: "review", sessionId };
  }
  if (head === "s" && sessionId) return { page: tail === "terminal" ? "terminal" : "chat", sessionId };
  return { page: "home" };
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
      return `#/s/${encodeURIComponent(route.sessionId)}`;
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
