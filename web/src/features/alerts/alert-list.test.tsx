import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { AlertList } from "@/features/alerts/alert-list";
import { openAlerts } from "@/state/open-alerts";
import { aState, anApp } from "@/testing/builders";
import { renderApp } from "@/testing/render-app";
import type { Alert, AlertKind, Device } from "@/wire/device";

const device = (id: string): Device => ({ id, name: `Phone ${id}`, pairedAt: 1, lastSeenAt: 1 });
const paired = (id: string): AlertKind => ({ type: "paired", device: device(id) });
const anAlert = (id: string, what: AlertKind): Alert => ({ id, at: 1, what });

afterEach(() => void vi.restoreAllMocks());

/** The second tap comes as late as a person's who has read what the first one brought up. */
function letTimePass() {
  const later = performance.now() + 1_000;
  vi.spyOn(performance, "now").mockReturnValue(later);
}

test("a device that was paired can be revoked beside the alert, which then goes", async () => {
  const app = anApp({ alerts: [anAlert("a1", paired("d2"))] });
  const { user } = renderApp(app, <AlertList />);
  expect(screen.getByRole("alert")).toHaveTextContent("Phone d2 was paired.");
  await user.click(screen.getByRole("button", { name: "Revoke Phone d2 now" }));
  letTimePass();
  await user.click(screen.getByRole("button", { name: "revoke?" }));
  expect(app.sent).toEqual([{ type: "revoke", deviceId: "d2" }]);
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a session that was started on the workstation can be ended beside the alert", async () => {
  const what: AlertKind = { type: "started-here", sessionId: "s1", name: "shop", folder: "/srv" };
  const app = anApp({ alerts: [anAlert("a1", what)] });
  const { user } = renderApp(app, <AlertList />);
  expect(screen.getByRole("alert")).toHaveTextContent("shop was started on the workstation itself, in /srv.");
  await user.click(screen.getByRole("button", { name: "End shop now" }));
  letTimePass();
  await user.click(screen.getByRole("button", { name: "end?" }));
  expect(app.sent).toEqual([{ type: "end", sessionId: "s1" }]);
});

test("what this device did itself, what was before it, and what was dismissed is not shown", () => {
  const alerts = [
    anAlert("before", paired("d0")),
    anAlert("own", paired("d1")),
    anAlert("mine", {
      type: "revoked",
      device: device("d0"),
      by: { type: "device", deviceId: "d1", name: "Phone d1" },
    }),
    anAlert("dismissed", paired("d2")),
    anAlert("new", paired("d3")),
  ];
  const shown = openAlerts(aState({ alerts, dismissed: ["dismissed"] }));
  expect(shown.map(({ id }) => id)).toEqual(["new"]);
});
