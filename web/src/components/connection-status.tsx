/* Whether what is shown is the truth right now, said in words. */
import "@/components/connection-status.css";
import { exact, hourAndMinute } from "@/words/time";
import { useNow } from "@/lib/ticker";
import { useAppState } from "@/state/app-context";
import { connectionWords } from "@/words/connection-words";

export function ConnectionStatus() {
  const connection = useAppState((state) => state.connection);
  const words = connectionWords(connection, useNow());
  return (
    <span className={`connection connection--${connection.type}`} role="status">
      <span className="connection__dot" aria-hidden="true" />
      {words}
    </span>
  );
}

/** Says of what time the list is, when the server has not spoken yet since the page was opened. */
export function StaleNote() {
  const knownAt = useAppState((state) => state.knownAt);
  if (knownAt === null) return null;
  return (
    <p className="stale-note">
      Not connected. This is how it was at{" "}
      <time title={exact(knownAt)} dateTime={new Date(knownAt).toISOString()}>
        {hourAndMinute(knownAt)}
      </time>
      .
    </p>
  );
}

/** The same for pages whose bar has no room: shown only when something is wrong. */
export function ConnectionStrip() {
  const lost = useAppState((state) => state.connection.type !== "live");
  return lost ? (
    <div className="connection-strip">
      <ConnectionStatus />
    </div>
  ) : null;
}
