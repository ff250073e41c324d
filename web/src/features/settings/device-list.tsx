/* Every paired device, when it last spoke, and the way to take its key away. */
import { useState } from "react";
import { ConfirmButton } from "@/components/confirm-button";
import { Moment } from "@/components/moment";
import { useAppState, useVerbs } from "@/state/app-context";
import { useAsked } from "@/state/use-asked";
import type { DeviceId } from "@/wire/device";

export function DeviceList() {
  const own = useAppState((state) => state.server?.deviceId);
  const live = useAppState((state) => state.connection.type === "live");
  const { ask, tryTo } = useVerbs();
  const [version, setVersion] = useState(0);
  const asked = useAsked(String(version), () => ask({ type: "devices" }, "devices"));

  async function revoke(deviceId: DeviceId) {
    if (await tryTo({ type: "revoke", deviceId })) setVersion((current) => current + 1);
  }

  if (asked && "problem" in asked) return <p className="bad small">{asked.problem}</p>;
  if (!asked) return <p className="dim small">{live ? "fetching devices…" : "offline"}</p>;
  return (
    <ul className="card devices">
      {asked.data.devices.map((device) => (
        <li key={device.id} className="devices__item">
          <div className="devices__text">
            <span dir="auto">
              {device.name}
              {device.id === own && <span className="devices__own">this device</span>}
            </span>
            <span className="devices__seen small dim">
              last seen <Moment at={device.lastSeenAt} />
            </span>
          </div>
          <ConfirmButton
            className={device.id === own ? "text-button" : "text-button bad"}
            label={`Revoke ${device.name}`}
            question={device.id === own ? "lock this device out?" : "revoke?"}
            onConfirm={() => void revoke(device.id)}
          >
            revoke
          </ConfirmButton>
        </li>
      ))}
    </ul>
  );
}
