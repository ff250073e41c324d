/* Tells the state which chats are open, from the address alone, and whether anybody can see them. */
import { useEffect, useLayoutEffect } from "react";
import type { Route } from "@/lib/router";
import { useDispatch } from "@/state/app-context";
import type { SessionId } from "@/wire/session";

export function useViewing(route: Route): void {
  const dispatch = useDispatch();
  const chats = chatsOf(route).join(" ");

  // Before the first picture of the page: what it shows depends on it.
  useLayoutEffect(() => {
    dispatch({ type: "viewing", sessionIds: chats.split(" ").filter(Boolean) });
  }, [dispatch, chats]);
  useEffect(() => () => dispatch({ type: "viewing", sessionIds: [] }), [dispatch]);

  useEffect(() => {
    const tell = () => dispatch({ type: "visible", visible: document.visibilityState === "visible" });
    tell();
    document.addEventListener("visibilitychange", tell);
    return () => document.removeEventListener("visibilitychange", tell);
  }, [dispatch]);
}

/** A review shows two; on a narrow screen the other one is a tap away. */
export function chatsOf(route: Route): SessionId[] {
  switch (route.page) {
    case "chat":
      return [route.sessionId];
    case "pair":
      return [route.sessionId, route.reviewer];
    case "home":
    case "new":
    case "search":
    case "history":
    case "insight":
    case "terminal":
    case "review":
    case "settings":
    case "rules":
    case "prompt":
      return [];
  }
}
