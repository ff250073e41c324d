/* "Review with…" on an answer, a change or a plan: takes it along to the form. */
import type { Reviewable } from "@/components/review-slot";
import { navigate } from "@/lib/router";
import { useDispatch } from "@/state/app-context";

export function ReviewButton(draft: Reviewable) {
  const dispatch = useDispatch();

  function begin() {
    dispatch({ type: "review-drafted", draft });
    navigate({ page: "review", sessionId: draft.sessionId });
  }

  return (
    <button type="button" className="text-button review-button" onClick={begin}>
      review with…
    </button>
  );
}
