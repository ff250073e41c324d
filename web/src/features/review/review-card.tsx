/* A review in the conversation: who looks at what, how far they are, and the way to see both; an end for the session that was begun for it. */
import { AdapterBadge } from "@/components/adapter-badge";
import { Visible } from "@/components/visible";
import { EndReview } from "@/features/review/end-review";
import "@/features/review/review-card.css";
import { hrefOf } from "@/lib/router";
import { useAppState } from "@/state/app-context";
import { reviewedBy } from "@/state/reviews";
import type { Review, Session, SessionState } from "@/wire/session";

export function ReviewCard({ session, review }: { session: Session; review: Review }) {
  const parent = useAppState((state) => reviewedBy(state.sessions, review));
  const reviewer = useAppState((state) => state.sessions[review.reviewer]);
  if (!parent) return null;
  const other = parent.id === session.id ? reviewer : parent;
  return (
    <section className="review-card" aria-label="Review">
      <p className="review-card__who">
        <AdapterBadge kind={other?.adapter} />
        <span dir="auto">
          {parent.id === session.id ? "reviews this" : `asked for a review of ${parent.name}`}
        </span>
        <span className="dim small review-card__state">{stateOf(reviewer)}</span>
      </p>
      <p className="dim small review-card__subject" dir="auto">
        <Visible text={review.subject} />
      </p>
      <div className="review-card__ways">
        <a
          className="button"
          href={hrefOf({ page: "pair", sessionId: parent.id, reviewer: review.reviewer })}
        >
          See both
        </a>
        <EndReview review={review} />
      </div>
    </section>
  );
}

const STATES: Partial<Record<SessionState["type"], string>> = {
  ended: "over",
  waiting: "needs you",
  ready: "done",
};

function stateOf(reviewer: Session | undefined): string {
  return reviewer ? (STATES[reviewer.state.type] ?? "under way") : "forgotten";
}
