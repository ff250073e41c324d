/* The message the session was started with, until the CLI has taken it; and if it may not have, the way to send it by hand. */
import { Icon } from "@/components/icon";
import { useAppState, useDispatch } from "@/state/app-context";
import type { Session } from "@/wire/session";

export function FirstMessage({ session }: { session: Session }) {
  const dispatch = useDispatch();
  const draft = useAppState((state) => state.drafts[session.id] ?? "");
  const first = session.firstMessage;
  if (!first || session.state.type === "ended") return null;
  return (
    <div className="first-message" role="status">
      <span className="first-message__text" dir="auto">
        {first.text}
      </span>
      {first.problem === undefined ? (
        <span className="dim small">goes out as soon as the agent is ready</span>
      ) : (
        <span className="bad small">
          <Icon name="warning" size={16} /> may not have arrived: {first.problem}
        </span>
      )}
      {first.problem !== undefined && (
        <button
          type="button"
          className="button"
          onClick={() =>
            dispatch({
              type: "draft",
              sessionId: session.id,
              text: draft === "" ? first.text : `${first.text}\n${draft}`,
            })
          }
        >
          Put it into the composer
        </button>
      )}
    </div>
  );
}
