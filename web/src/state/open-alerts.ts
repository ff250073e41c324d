/* Which alerts this device shows: not what it did itself, nor what happened before it was paired. Pure. */
import type { State } from "@/state/state";
import type { Alert, AlertKind, DeviceId } from "@/wire/device";

export function openAlerts({
  alerts,
  dismissed,
  server,
}: Pick<State, "alerts" | "dismissed" | "server">): Alert[] {
  const own = server?.deviceId;
  const ownPairing = alerts.findIndex(({ what }) => what.type === "paired" && what.device.id === own);
  return alerts.slice(ownPairing + 1).filter(({ id, what }) => !dismissed.includes(id) && !isOwn(what, own));
}

function isOwn(what: AlertKind, own: DeviceId | undefined): boolean {
  return what.type === "revoked" && what.by.type === "device" && what.by.deviceId === own;
}
