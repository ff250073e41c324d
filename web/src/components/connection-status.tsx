/* Whether what is shown is the truth right now, said in words. */
import "@/components/connection-status.css";
import { useNow } from "@/lib/ticker";
import { useAppState } from "@/state/app-context";
import { connectionWords } from "@/state/connection-words";

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

/** The same for pages whose bar has no room: shown only when something is wrong. */
export function ConnectionStrip() {
  const lost = useAppState((state) => state.connection.type !== "live");
  return lost ? (
    <div className="connection-strip">
      <ConnectionStatus />
    </div>
  ) : null;
}
