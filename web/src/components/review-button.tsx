/* "Review with…" on an answer, a change or a plan of the chat that is open: takes it along to the form. */
import { navigate } from "@/lib/router";
import { useAppState, useDispatch } from "@/state/app-context";

interface Props {
  /** What it is, in one line. */
  subject: string;
  text: string;
}

export function ReviewButton({ subject, text }: Props) {
  const sessionId = useAppState((state) => state.viewing);
  const dispatch = useDispatch();
  if (sessionId === null || text.trim() === "") return null;

  function draft() {
    if (sessionId === null) return;
    dispatch({ type: "review-drafted", draft: { sessionId, subject, text } });
    navigate({ page: "review", sessionId });
  }

  return (
    <button type="button" className="text-button review-button" onClick={draft}>
      review with…
    </button>
  );
}
