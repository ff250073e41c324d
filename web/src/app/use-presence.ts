/*
 * Tells the server which prompts and chats are on this page while somebody can see it: what is seen here need not be told by a
 * notification. Said again and again, because a page that is frozen cannot say that it is.
 */
import { useEffect } from "react";
import { useAppState, useVerbs } from "@/state/app-context";

/** The server believes it for three of these. */
const AGAIN_MS = 15_000;

/** `listed`: the cards of all waiting prompts are on the page. */
export function usePresence(listed: boolean): void {
  const { ask } = useVerbs();
  const live = useAppState((state) => state.connection.type === "live");
  const visible = useAppState((state) => state.visible);
  const sessions = useAppState((state) => state.viewing.join(" "));
  const prompts = useAppState(({ prompts, sheet }) =>
    prompts
      .map(({ prompt }) => prompt.requestId)
      .filter((id) => listed || id === sheet.shown)
      .join(" "),
  );

  useEffect(() => {
    if (!live) return;
    const presence = { visible, prompts: words(prompts), sessions: words(sessions) };
    const tell = () => {
      ask({ type: "notify", notify: { type: "presence", presence } }, "done").catch(() => undefined);
    };
    tell();
    if (!visible) return;
    const timer = setInterval(tell, AGAIN_MS);
    return () => clearInterval(timer);
  }, [ask, live, visible, prompts, sessions]);
}

function words(text: string): string[] {
  return text.split(" ").filter(Boolean);
}
