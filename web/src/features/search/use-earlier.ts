/* The conversations that all installed CLIs have kept; with words, also those that are too old for the plain list. */
import { useEffect, useState } from "react";
import { useAppState, useVerbs } from "@/state/app-context";
import type { ConversationInfo } from "@/wire/session";

/** Looking through the CLIs' files takes the server a moment; whoever types on is not told about every letter. */
const PAUSE_MS = 250;

export function useEarlier(typed: string): { conversations: ConversationInfo[]; loaded: boolean } {
  const live = useAppState((state) => state.connection.type === "live");
  const adapters = useAppState((state) => state.adapters);
  const { ask } = useVerbs();
  const query = typed.trim();
  const [found, setFound] = useState<ConversationInfo[] | null>(null);

  useEffect(() => {
    if (!live) return;
    let over = false;
    async function look() {
      const kinds = adapters.filter(
        ({ kind, installed }) => installed && kind !== "demo" && kind !== "generic",
      );
      const lists = await Promise.all(
        kinds.map(async ({ kind: adapter }) => {
          const command = { type: "conversations", adapter, ...(query !== "" && { query }) } as const;
          // A CLI whose files cannot be read has none; the others are shown.
          return ask(command, "conversations").then(
            ({ conversations }) => conversations,
            () => [],
          );
        }),
      );
      if (!over) setFound(lists.flat());
    }
    const timer = setTimeout(() => void look(), query === "" ? 0 : PAUSE_MS);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [live, adapters, ask, query]);

  return { conversations: found ?? [], loaded: found !== null };
}
