/* Ends a review: the session that was begun for it stops. One that was there before stays, so there is nothing to end. */
import { ConfirmButton } from "@/components/confirm-button";
import { useAppState, useVerbs } from "@/state/app-context";
import type { Review } from "@/wire/session";

export function EndReview({ review, onEnded }: { review: Review; onEnded?: () => void }) {
  const reviewer = useAppState((state) => state.sessions[review.reviewer]);
  const { tryTo } = useVerbs();
  if (!reviewer || reviewer.state.type === "ended" || reviewer.createdAt < review.createdAt) return null;

  async function end() {
    if (await tryTo({ type: "end", sessionId: review.reviewer })) onEnded?.();
  }

  return (
    <ConfirmButton
      className="button button--quiet"
      question="Tap again: stop the reviewer"
      onConfirm={() => void end()}
    >
      End review
    </ConfirmButton>
  );
}
