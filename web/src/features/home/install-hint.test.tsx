import { act, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { InstallHint } from "@/features/home/install-hint";
import { listenForInstall } from "@/lib/install";
import { anApp } from "@/testing/builders";
import { renderApp } from "@/testing/render-app";

beforeAll(listenForInstall);

afterEach(() => {
  Reflect.deleteProperty(navigator, "standalone");
  act(() => void dispatchEvent(new Event("appinstalled")));
});

function offer() {
  const prompt = vi.fn(() => Promise.resolve());
  const event = Object.assign(new Event("beforeinstallprompt", { cancelable: true }), { prompt });
  act(() => void dispatchEvent(event));
  return { prompt, event };
}

test("what the browser offers waits for a tap, and is asked once", async () => {
  const { user } = renderApp(anApp(), <InstallHint />);
  expect(screen.queryByRole("region", { name: "Install" })).toBeNull();
  const { prompt, event } = offer();
  expect(event.defaultPrevented).toBe(true);
  await user.click(screen.getByRole("button", { name: "Install" }));
  expect(prompt).toHaveBeenCalledOnce();
  expect(screen.queryByRole("region", { name: "Install" })).toBeNull();
});

test("on an iPhone it says how", () => {
  Object.assign(navigator, { standalone: false });
  renderApp(anApp(), <InstallHint />);
  expect(screen.getByText(/Tap Share, then Add to Home Screen/)).toBeInTheDocument();
});

test("sent away it stays away, and on the home screen there is none", async () => {
  Object.assign(navigator, { standalone: false });
  const app = anApp();
  const { user, unmount } = renderApp(app, <InstallHint />);
  await user.click(screen.getByRole("button", { name: "Dismiss the hint" }));
  expect(screen.queryByRole("region", { name: "Install" })).toBeNull();
  expect(app.store.getState().preferences.installHint).toBe("dismissed");
  unmount();
  vi.spyOn(window, "matchMedia").mockReturnValue({ matches: true } as MediaQueryList);
  renderApp(anApp(), <InstallHint />);
  expect(screen.queryByRole("region", { name: "Install" })).toBeNull();
});
