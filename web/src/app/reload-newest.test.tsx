import { afterEach, expect, test, vi } from "vitest";
import { reloadNewest } from "@/app/reload-newest";

afterEach(() => void vi.unstubAllGlobals());

function withWorker(registration: { installing: object | null; waiting: null; update: () => Promise<void> }) {
  const container = Object.assign(new EventTarget(), {
    getRegistration: () => Promise.resolve(registration),
  });
  vi.stubGlobal("navigator", { serviceWorker: container });
  return container;
}

test("the page is loaded again once the newest worker has taken over", async () => {
  const registration = { installing: null as object | null, waiting: null, update: () => Promise.resolve() };
  registration.update = () => {
    registration.installing = {};
    return Promise.resolve();
  };
  const container = withWorker(registration);
  const reload = vi.fn();
  const reloaded = reloadNewest(reload);
  await vi.waitFor(() => expect(registration.installing).not.toBeNull());
  expect(reload).not.toHaveBeenCalled();
  container.dispatchEvent(new Event("controllerchange"));
  await reloaded;
  expect(reload).toHaveBeenCalledOnce();
});

test("it is loaded at once when there is nothing newer, no worker or no network", async () => {
  const reload = vi.fn();
  withWorker({ installing: null, waiting: null, update: () => Promise.resolve() });
  await reloadNewest(reload);
  withWorker({ installing: null, waiting: null, update: () => Promise.reject(new Error("offline")) });
  await reloadNewest(reload);
  vi.stubGlobal("navigator", {});
  await reloadNewest(reload);
  expect(reload).toHaveBeenCalledTimes(3);
});
