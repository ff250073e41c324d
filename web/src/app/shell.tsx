/*
 * The frame: on a phone one page at a time, on its side the list and a page, on a wide screen list, page and sheet side
 * by side. Same components.
 */
import { lazy, Suspense } from "react";
import { HelpDialog } from "@/app/help-dialog";
import { useBadge } from "@/app/use-badge";
import { useKeyboard } from "@/app/use-keyboard";
import "@/app/shell.css";
import { ChatPage } from "@/features/chat/chat-page";
import { HomePage } from "@/features/home/home-page";
import { NewSessionPage } from "@/features/new-session/new-session-page";
import { Announcer } from "@/features/prompt/announcer";
import { NoticeBar } from "@/features/prompt/notice-bar";
import { PeekBar } from "@/features/prompt/peek-bar";
import { PromptOverlay } from "@/features/prompt/prompt-overlay";
import { WaitingList } from "@/features/prompt/waiting-list";
import { TerminalPage } from "@/features/terminal/terminal-page";
import { BESIDE, PANEL, useMedia } from "@/lib/media";
import { useRoute, type Route } from "@/lib/router";
import { useAppState } from "@/state/app-context";

/* None of these is needed for the first picture. */
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

export function Shell() {
  const route = useRoute();
  const panel = useMedia(PANEL);
  const beside = useMedia(BESIDE) && (panel || !needsAllWidth(route));
  const raised = useAppState((state) => state.sheet.shown !== null);
  const stale = useAppState((state) => state.loaded && state.connection.type !== "live");
  const help = useKeyboard(beside);
  useBadge();

  const covered = raised && !panel;
  const current = "sessionId" in route ? (route.sessionId ?? null) : null;
  const list = <HomePage needsYou={<WaitingList />} current={current} />;
  return (
    <div
      className={classes(
        "shell",
        beside && "shell--beside",
        panel && raised && "shell--panel",
        stale && "shell--stale",
      )}
    >
      {beside && (
        <nav className="shell__list" inert={covered}>
          {list}
        </nav>
      )}
      <main className="shell__main" inert={covered}>
        {route.page === "home" && !beside ? list : <Page route={route} />}
        {!beside && !raised && route.page !== "home" && <PeekBar />}
      </main>
      <div className="shell__panel">
        <PromptOverlay modal={!panel} />
      </div>
      <NoticeBar />
      <Announcer />
      {help.open && <HelpDialog onClose={help.close} />}
    </div>
  );
}

/** On a phone that lies on its side the list would leave these too little. */
function needsAllWidth({ page }: Route): boolean {
  return page === "terminal" || page === "pair";
}

function classes(...names: (string | false)[]): string {
  return names.filter((name) => name !== false).join(" ");
}

function Page({ route }: { route: Route }) {
  switch (route.page) {
    case "home":
      return <p className="page empty">Choose a session, or start one.</p>;
    case "new":
      return <NewSessionPage />;
    case "settings":
      return (
        <Suspense fallback={<p className="page empty">opening the settings…</p>}>
          <SettingsPage />
        </Suspense>
      );
    case "chat":
      // A page of its own for each session: nothing half-typed or half-scrolled is carried over.
      return <ChatPage key={route.sessionId} sessionId={route.sessionId} messageId={route.messageId} />;
    case "search":
      return (
        <Suspense fallback={<p className="page empty">fetching the page…</p>}>
          <SearchPage key={route.sessionId ?? ""} sessionId={route.sessionId} query={route.query ?? ""} />
        </Suspense>
      );
    case "terminal":
      return <TerminalPage key={route.sessionId} sessionId={route.sessionId} />;
    case "review":
      return (
        <Suspense fallback={<p className="page empty">fetching the form…</p>}>
          <ReviewPage key={route.sessionId} sessionId={route.sessionId} />
        </Suspense>
      );
    case "pair":
      return (
        <Suspense fallback={<p className="page empty">fetching both sessions…</p>}>
          <PairPage
            key={`${route.sessionId} ${route.reviewer}`}
            parent={route.sessionId}
            reviewer={route.reviewer}
          />
        </Suspense>
      );
  }
}
