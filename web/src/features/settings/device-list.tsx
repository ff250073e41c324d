/* Every paired device, when it last spoke, and the way to take its key away. */
import { useEffect, useState } from "react";
import { ConfirmButton } from "@/components/confirm-button";
import { Moment } from "@/components/moment";
import { failureText } from "@/lib/request-failed";
import { useAppState, useVerbs } from "@/state/app-context";
import type { Device, DeviceId } from "@/wire/device";

export function DeviceList() {
  const own = useAppState((state) => state.server?.deviceId);
  const live = useAppState((state) => state.connection.type === "live");
  const { ask, tryTo } = useVerbs();
  const [devices, setDevices] = useState<Device[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [version, setVersion] = useState(0);

  useEffect(() => {
    if (!live) return;
    ask({ type: "devices" }, "devices").then(
      (reply) => {
        setDevices(reply.devices);
        setProblem(null);
      },
      (error: unknown) => setProblem(failureText(error)),
    );
  }, [live, ask, version]);

  async function revoke(deviceId: DeviceId) {
    if (await tryTo({ type: "revoke", deviceId })) setVersion((current) => current + 1);
  }

  if (problem !== null) return <p className="bad small">{problem}</p>;
  if (!devices) return <p className="dim small">{live ? "fetching devices…" : "offline"}</p>;
  return (
    <ul className="card devices">
      {devices.map((device) => (
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
            className="text-button bad"
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
