/* The reviews of a session, each a way to see both side by side; and, in the reviewer, the way back. */
import { AdapterBadge } from "@/components/adapter-badge";
import { Ago } from "@/components/moment";
import { hrefOf } from "@/lib/router";
import { useAppState } from "@/state/app-context";
import type { Session } from "@/wire/session";
import "@/features/review/review-list.css";

export function ReviewList({ session }: { session: Session }) {
  const sessions = useAppState((state) => state.sessions);
  const asked = Object.values(sessions).flatMap((parent) =>
    (parent.reviews ?? [])
      .filter(({ reviewer }) => reviewer === session.id)
      .map((review) => ({ parent, review })),
  );
  const own = (session.reviews ?? []).map((review) => ({ parent: session, review }));
  if (own.length + asked.length === 0) return null;
  return (
    <section aria-label="Reviews">
      <h2 className="section__title">Reviews</h2>
      <ul className="review-list">
        {[...own, ...asked].map(({ parent, review }) => {
          const other = parent === session ? sessions[review.reviewer] : parent;
          const href = hrefOf({ page: "pair", sessionId: parent.id, reviewer: review.reviewer });
          return (
            <li key={review.id}>
              <a className="review-list__item" href={href}>
                <span className="review-list__who">
                  <AdapterBadge kind={other?.adapter} />
                  <span dir="auto">{parent === session ? other?.name : `of ${parent.name}`}</span>
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
