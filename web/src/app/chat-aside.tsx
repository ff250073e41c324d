/* The place above a chat's composer for what its CLI asks beside its own; the card is fetched when there is something to ask. */
import { lazy } from "react";
import { Fetched } from "@/components/fetched";
import { useAppState } from "@/state/app-context";
import type { SessionId } from "@/wire/session";

const AsideCard = lazy(async () => ({ default: (await import("@/features/prompt/aside-card")).AsideCard }));

export function ChatAside({ sessionId }: { sessionId: SessionId }) {
  const pending = useAppState((state) => state.asides.find(({ prompt }) => prompt.sessionId === sessionId));
  if (!pending) return null;
  return (
    <Fetched key={pending.prompt.requestId}>
      <AsideCard pending={pending} />
    </Fetched>
  );
}
