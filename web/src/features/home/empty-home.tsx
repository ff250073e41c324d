/* No sessions yet: says what to do next, and that the demo agent needs nothing installed. */
import { hrefOf } from "@/lib/router";
import { useAppState } from "@/state/app-context";

export function EmptyHome() {
  const adapters = useAppState((state) => state.adapters);
  const agents = adapters.filter(({ isAgent }) => isAgent);
  const installed = agents.filter((adapter) => adapter.installed);
  return (
    <div className="empty">
      <p>No sessions yet.</p>
      <p>
        {installed.length > 0
          ? `Start ${installed.map(({ name }) => name).join(" or ")} here, or with answerback run at the desk.`
          : "No AI CLI was found on the workstation. The demo agent shows every kind of prompt without one."}
      </p>
      <a className="button button--primary" href={hrefOf({ page: "new" })}>
        {installed.length > 0 ? "Start a session" : "Try the demo agent"}
      </a>
    </div>
  );
}
