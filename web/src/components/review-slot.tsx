/*
 * The place for "review with…", for the list of reviews, and for the card of one in its conversation. What stands there belongs to the feature of that name; the app puts it in, so
 * that chats and prompts need not know it.
 */
import { createContext, useContext, type ComponentType } from "react";
import type { Review, Session, SessionId } from "@/wire/session";

export interface Reviewable {
  /** The session that wrote it. */
  sessionId: SessionId;
  /** What it is, in one line. */
  subject: string;
  text: string;
}

interface ReviewParts {
  Button: ComponentType<Reviewable>;
  List: ComponentType<{ session: Session }>;
  Card: ComponentType<{ session: Session; review: Review }>;
}

export const ReviewSlot = createContext<ReviewParts | null>(null);

export function ReviewAction(props: Reviewable) {
  const parts = useContext(ReviewSlot);
  return parts && props.text.trim() !== "" ? <parts.Button {...props} /> : null;
}

export function SessionReviews({ session }: { session: Session }) {
  const parts = useContext(ReviewSlot);
  return parts && <parts.List session={session} />;
}

/** `session` is the one in whose conversation it stands: the reviewed or the reviewing one. */
export function ReviewNote(props: { session: Session; review: Review }) {
  const parts = useContext(ReviewSlot);
  return parts && <parts.Card {...props} />;
}
