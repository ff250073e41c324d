/* The place for alerts above every page; their list is fetched when there is one. */
import { lazy } from "react";
import { Fetched } from "@/components/fetched";
import { openAlerts } from "@/state/open-alerts";
import { useAppState } from "@/state/app-context";

const AlertList = lazy(async () => ({ default: (await import("@/features/alerts/alert-list")).AlertList }));

export function Alerts() {
  const alerts = useAppState((state) => state.alerts);
  const dismissed = useAppState((state) => state.dismissed);
  const server = useAppState((state) => state.server);
  if (openAlerts({ alerts, dismissed, server }).length === 0) return null;
  return (
    <Fetched>
      <AlertList />
    </Fetched>
  );
}
