/*
 * The frame: on a phone one page at a time, on its side the list and a page, on a wide screen list, page and sheet side
 * by side. Same components.
 */
import { lazy } from "react";
import { RoutePage } from "@/app/route-page";
import { Contained } from "@/components/contained";
import { Fetched } from "@/components/fetched";
import { useBadge } from "@/app/use-badge";
import { useKeyboard } from "@/app/use-keyboard";
import { usePresence } from "@/app/use-presence";
import { useViewing } from "@/app/use-viewing";
import "@/app/shell.css";
import { Alerts } from "@/app/alerts";
import { HomePage } from "@/features/home/home-page";
import { Announcer } from "@/features/prompt/announcer";
import { NoticeBar } from "@/features/prompt/notice-bar";
import { PeekBar } from "@/features/prompt/peek-bar";
import { PromptOverlay } from "@/features/prompt/prompt-overlay";
import { WaitingList } from "@/features/prompt/waiting-list";
import { BESIDE, PANEL, useMedia } from "@/lib/media";
import { useRoute, type Route } from "@/lib/router";
import { useAppState } from "@/state/app-context";

const HelpDialog = lazy(async () => ({ default: (await import("@/app/help-dialog")).HelpDialog }));

export function Shell() {
  const route = useRoute();
  const panel = useMedia(PANEL);
  const beside = useMedia(BESIDE) && (panel || !needsAllWidth(route));
  const raised = useAppState((state) => state.sheet.shown !== null);
  const stale = useAppState((state) => state.loaded && state.connection.type !== "live");
  const help = useKeyboard(beside);
  useBadge();
  useViewing(route);
  usePresence(beside || route.page === "home");

  const covered = raised && !panel;
  const current = "sessionId" in route ? (route.sessionId ?? null) : null;
  const list = (
    <Contained what="the list">
      <HomePage needsYou={<WaitingList />} current={current} />
    </Contained>
  );
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
        <Alerts />
        {route.page === "home" && !beside ? list : <RoutePage route={route} />}
        {!beside && !raised && route.page !== "home" && <PeekBar current={current} />}
      </main>
      <div className="shell__panel">
        <PromptOverlay modal={!panel} />
      </div>
      <Contained what="a notice">
        <NoticeBar />
        <Announcer />
      </Contained>
      {help.open && (
        <Fetched>
          <HelpDialog onClose={help.close} />
        </Fetched>
      )}
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
