/* Which page an address shows. All but the chat and the terminal are fetched when they are opened. */
import { lazy } from "react";
import { ChatAside } from "@/app/chat-aside";
import { Fetched } from "@/components/fetched";
import { ChatPage } from "@/features/chat/chat-page";
import { TerminalPage } from "@/features/terminal/terminal-page";
import type { Route } from "@/lib/router";

/* None of these is needed for the first picture. */
const newSession = () => import("@/features/new-session/new-session-page");
const NewSessionPage = lazy(async () => ({ default: (await newSession()).NewSessionPage }));
const ReviewPage = lazy(() =>
  import("@/features/review/review-page").then((module) => ({ default: module.ReviewPage })),
);
const PairPage = lazy(() => import("@/app/pair-page").then((module) => ({ default: module.PairPage })));
const SettingsPage = lazy(() =>
  import("@/features/settings/settings-page").then((module) => ({ default: module.SettingsPage })),
);
const SearchPage = lazy(async () => ({
  default: (await import("@/features/search/search-page")).SearchPage,
}));

export function RoutePage({ route }: { route: Route }) {
  switch (route.page) {
    case "home":
      return <p className="page empty">Choose a session, or start one.</p>;
    case "new":
      return (
        <Fetched key={route.page} until="opening the form…">
          <NewSessionPage />
        </Fetched>
      );
    case "settings":
      return (
        <Fetched key={route.page} until="opening the settings…">
          <SettingsPage />
        </Fetched>
      );
    case "chat":
      // A page of its own for each session: nothing half-typed or half-scrolled is carried over.
      return (
        <ChatPage
          key={route.sessionId}
          sessionId={route.sessionId}
          messageId={route.messageId}
          aside={<ChatAside sessionId={route.sessionId} />}
        />
      );
    case "search":
      return (
        <Fetched key={route.page} until="fetching the page…">
          <SearchPage key={route.sessionId ?? ""} sessionId={route.sessionId} query={route.query ?? ""} />
        </Fetched>
      );
    case "terminal":
      return <TerminalPage key={route.sessionId} sessionId={route.sessionId} />;
    case "review":
      return (
        <Fetched key={route.page} until="fetching the form…">
          <ReviewPage key={route.sessionId} sessionId={route.sessionId} />
        </Fetched>
      );
    case "pair":
      return (
        <Fetched key={route.page} until="fetching both sessions…">
          <PairPage
            key={`${route.sessionId} ${route.reviewer}`}
            parent={route.sessionId}
            reviewer={route.reviewer}
          />
        </Fetched>
      );
  }
}

/** Begins to fetch what one tap opens, so that it is there at once; if that fails, the tap tries again. */
export function loadNextPages(): void {
  const menu = () => import("@/features/chat/session-panel");
  for (const load of [newSession, menu]) load().catch(() => undefined);
}
