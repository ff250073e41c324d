/* The reviews of a session, each a way to see both side by side; and, in the reviewer, the way back. */
import { AdapterBadge } from "@/components/adapter-badge";
import { Ago } from "@/components/moment";
import { hrefOf } from "@/lib/router";
import { useAppState } from "@/state/app-context";
import { reviewedBy, reviewsOf } from "@/state/reviews";
import type { Session } from "@/wire/session";
import "@/features/review/review-list.css";

export function ReviewList({ session }: { session: Session }) {
  const sessions = useAppState((state) => state.sessions);
  const reviews = reviewsOf(sessions, session).map((review) => ({
    review,
    parent: reviewedBy(sessions, review) ?? session,
  }));
  if (reviews.length === 0) return null;
  return (
    <section aria-label="Reviews">
      <h2 className="section__title">Reviews</h2>
      <ul className="review-list">
        {reviews.map(({ parent, review }) => {
          const other = parent.id === session.id ? sessions[review.reviewer] : parent;
          const href = hrefOf({ page: "pair", sessionId: parent.id, reviewer: review.reviewer });
          return (
            <li key={review.id}>
              <a className="review-list__item" href={href}>
                <span className="review-list__who">
                  <AdapterBadge kind={other?.adapter} />
                  <span dir="auto">{parent.id === session.id ? other?.name : `of ${parent.name}`}</span>
                  <span className="dim small">
                    <Ago at={review.createdAt} />
                  </span>
                </span>
                <span className="dim small" dir="auto">
                  {review.subject}
                </span>
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
