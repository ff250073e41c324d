/* How far the answer has got, read out as it changes; and after a failure, what can be done. */
import { Icon } from "@/components/icon";
import type { Phase } from "@/features/prompt/phase";
import { hrefOf } from "@/lib/router";
import { useVerbs } from "@/state/app-context";
import type { InteractivePrompt } from "@/wire/prompt";

interface Props {
  phase: Phase;
  prompt: InteractivePrompt;
  /** Leaves what covers the terminal. */
  onLeave?: () => void;
}

export function AnswerStatus({ phase, prompt, onLeave }: Props) {
  const { respondAgain } = useVerbs();
  return (
    <div className={`answer-status answer-status--${phase.type}`}>
      {/* Always there, so that a change of its words is announced. */}
      <p role="status" className="answer-status__words">
        {phase.type === "failed" && <Icon name="close" size={18} />}
        {phase.type === "open" ? "" : phase.words}
      </p>
      {(phase.type === "failed" || (phase.type === "under-way" && phase.unsure)) && (
        <div className="answer-status__ways">
          {phase.type === "failed" && phase.canRetry && (
            <button type="button" className="button" onClick={() => void respondAgain(prompt.requestId)}>
              try again
            </button>
          )}
          {prompt.sessionId !== undefined && (
            <a
              className="button"
              href={hrefOf({ page: "terminal", sessionId: prompt.sessionId })}
              onClick={onLeave}
            >
              open terminal
            </a>
          )}
        </div>
      )}
    </div>
  );
}
