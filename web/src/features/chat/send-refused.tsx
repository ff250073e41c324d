/* Why a message was not taken, beside the text that is still there, with the way out. */
import { Problem } from "@/components/problem";
import { hrefOf } from "@/lib/router";
import { useAppState, useDispatch } from "@/state/app-context";
import type { Refused } from "@/state/outbox";
import type { Session } from "@/wire/session";

interface Props {
  session: Session;
  refused: Refused;
}

export function SendRefused({ session, refused }: Props) {
  const prompt = useAppState(
    (state) => state.prompts.find(({ prompt }) => prompt.sessionId === session.id)?.prompt,
  );
  const dispatch = useDispatch();
  return (
    <div className="refused">
      <Problem text={refused.message} />
      <div className="refused__ways">
        {prompt ? (
          <button
            type="button"
            className="button"
            onClick={() => dispatch({ type: "sheet-raised", requestId: prompt.requestId })}
          >
            Open the prompt
          </button>
        ) : (
          <a className="button" href={hrefOf({ page: "terminal", sessionId: session.id })}>
            Open terminal
          </a>
        )}
        <button
          type="button"
          className="button button--quiet"
          onClick={() => dispatch({ type: "refusal-seen", sessionId: session.id })}
        >
          Dismiss
        </button>
      </div>
    </div>
  );
}
