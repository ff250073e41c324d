/* Back and on through the questions; the last step sends them all. */
import { canGoOn, canSubmit } from "@/features/prompt/form";
import type { AnswerProps } from "@/features/prompt/prompt-answer";

export function QuestionNav({ prompt, form, locked, onInput }: AnswerProps) {
  const count = prompt.questions?.length ?? 0;
  // A single question needs no review: its answer is on the page.
  const last = form.page === count || count === 1;
  return (
    <div className="question-nav">
      {count > 1 && (
        <button
          type="button"
          className="button"
          disabled={locked || form.page === 0}
          onClick={() => onInput({ type: "back" })}
        >
          Back
        </button>
      )}
      {last ? (
        <button
          type="button"
          className="button button--primary"
          disabled={locked || !canSubmit(prompt, form)}
          onClick={() => onInput({ type: "submit" })}
        >
          Submit answers
        </button>
      ) : (
        <button
          type="button"
          className="button button--primary"
          disabled={locked || !canGoOn(prompt, form)}
          onClick={() => onInput({ type: "next" })}
        >
          Next
        </button>
      )}
    </div>
  );
}
