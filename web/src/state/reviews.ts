/* The reviews that a session has a part in: as the one that is reviewed, or as the one that reviews. */
import { useMemo } from "react";
import { useAppState } from "@/state/app-context";
import type { Review, Session, SessionId } from "@/wire/session";

const NONE: Review[] = [];

export function reviewsOf(sessions: Record<SessionId, Session>, session: Session): Review[] {
  const asked = Object.values(sessions).flatMap((parent) =>
    parent.id === session.id
      ? NONE
      : (parent.reviews ?? NONE).filter(({ reviewer }) => reviewer === session.id),
  );
  return [...(session.reviews ?? NONE), ...asked];
}

/** The session that a review is of. */
export function reviewedBy(sessions: Record<SessionId, Session>, { id }: Review): Session | undefined {
  return Object.values(sessions).find(({ reviews }) => reviews?.some((review) => review.id === id));
}

/** The same list as long as nothing of it has changed, however often the sessions do. */
export function useReviewsOf(session: Session): Review[] {
  const key = useAppState((state) => {
    const reviews = reviewsOf(state.sessions, session);
    return reviews.length === 0 ? "" : JSON.stringify(reviews);
  });
  return useMemo(() => (key === "" ? NONE : (JSON.parse(key) as Review[])), [key]);
}
