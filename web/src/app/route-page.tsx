/* Which page an address shows. All but the chat are fetched when they are opened. */
import { lazy } from "react";
import { ChatAside } from "@/app/chat-aside";
import { OpenPrompt } from "@/app/open-prompt";
import { Contained } from "@/components/contained";
import { Fetched } from "@/components/fetched";
import { ChatPage } from "@/features/chat/chat-page";
import type { Route } from "@/lib/router";

/* None of these is needed for the first picture. */
const newSession = () => import("@/features/new-session/new-session-page");
const NewSessionPage = lazy(async () => ({ default: (await newSession()).NewSessionPage }));
const terminal = () => import("@/features/terminal/terminal-page");
const TerminalPage = lazy(async () => ({ default: (await terminal()).TerminalPage }));
const ReviewPage = lazy(() =>
  import("@/features/review/review-page").then((module) => ({ default: module.ReviewPage })),
);
const PairPage = lazy(() => import("@/app/pair-page").then((module) => ({ default: module.PairPage })));
const SettingsPage = lazy(() =>
  import("@/features/settings/settings-page").then((module) => ({ default: module.SettingsPage })),
);
const RulesPage = lazy(async () => ({ default: (await import("@/features/rules/rules-page")).RulesPage }));
const SearchPage = lazy(async () => ({
  default: (await import("@/features/search/search-page")).SearchPage,
}));
const HistoryPage = lazy(async () => ({
  default: (await import("@/app/past-page")).PastPage,
}));
const InsightPage = lazy(async () => ({
  default: (await import("@/features/history/insight-page")).InsightPage,
}));

export function RoutePage({ route }: { route: Route }) {
  switch (route.page) {
    case "home":
      return <p className="page empty">Choose a session, or start one.</p>;
    case "new":
      return (
        <Fetched key={route.page} until="opening the form…">
          <NewSessionPage
            key={`${route.adapter ?? ""} ${route.folder ?? ""}`}
            adapter={route.adapter}
            folder={route.folder}
          />
        </Fetched>
      );
    case "settings":
      return (
        <Fetched key={route.page} until="opening the settings…">
          <SettingsPage />
        </Fetched>
      );
    case "rules":
      return (
        <Fetched key={route.page} until="opening the rules…">
          <RulesPage />
        </Fetched>
      );
    case "prompt":
      return <OpenPrompt key={route.requestId} requestId={route.requestId} />;
    case "chat":
      // A page of its own for each session: nothing half-typed or half-scrolled is carried over.
      return (
        <Contained key={route.sessionId} what="this session" sessionId={route.sessionId}>
          <ChatPage
            sessionId={route.sessionId}
            messageId={route.messageId}
            aside={<ChatAside sessionId={route.sessionId} />}
          />
        </Contained>
      );
    case "search":
      return (
        <Fetched key={route.page} until="fetching the page…">
          <SearchPage key={route.sessionId ?? ""} sessionId={route.sessionId} query={route.query ?? ""} />
        </Fetched>
      );
    case "history":
      return (
        <Fetched key={route.page} until="fetching the history…">
          <HistoryPage key={route.sessionId ?? ""} sessionId={route.sessionId} />
        </Fetched>
      );
    case "insight":
      return (
        <Fetched key={route.page} until="fetching the numbers…">
          <InsightPage />
        </Fetched>
      );
    case "terminal":
      return (
        <Contained key={route.sessionId} what="this terminal">
          <Fetched until="opening the terminal…">
            <TerminalPage sessionId={route.sessionId} />
          </Fetched>
        </Contained>
      );
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
  const toolInside = () => import("@/features/chat/tool-inside");
  const menu = () => import("@/features/chat/session-panel");
  for (const load of [terminal, newSession, menu, toolInside]) load().catch(() => undefined);
}
