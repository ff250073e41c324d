/* The conversations that all installed CLIs have kept; with words, also those that are too old for the plain list. */
import { useAppState, useVerbs } from "@/state/app-context";
import { useAsked } from "@/state/use-asked";
import type { ConversationInfo } from "@/wire/session";

/** Looking through the CLIs' files takes the server a moment; whoever types on is not told about every letter. */
const PAUSE_MS = 250;

export function useEarlier(typed: string): { conversations: ConversationInfo[]; loaded: boolean } {
  const adapters = useAppState((state) => state.adapters);
  const { ask } = useVerbs();
  const query = typed.trim();
  const kinds = adapters.filter(({ isAgent, installed }) => installed && isAgent).map(({ kind }) => kind);

  async function look(): Promise<ConversationInfo[]> {
    const lists = await Promise.all(
      kinds.map(async (adapter) => {
        const command = { type: "conversations", adapter, ...(query !== "" && { query }) } as const;
        // A CLI whose files cannot be read has none; the others are shown.
        return ask(command, "conversations").then(
          ({ conversations }) => conversations,
          () => [],
        );
      }),
    );
    return lists.flat();
  }

  const asked = useAsked(`${kinds.join(" ")}: ${query}`, look, query === "" ? 0 : PAUSE_MS);
  return asked && "data" in asked
    ? { conversations: asked.data, loaded: true }
    : { conversations: [], loaded: false };
}
