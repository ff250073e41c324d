/* Whether this page can be put on the home screen, and how: some browsers offer it, on iPhones the person does it. */
import { useSyncExternalStore } from "react";

/** Not every browser has it, and TypeScript knows none of it. */
interface InstallOffer extends Event {
  prompt: () => Promise<unknown>;
}

/** `offered`: the browser asks on a tap. `share`: iPhones and iPads, through the share sheet. */
export type InstallWay = "offered" | "share";

let offer: InstallOffer | null = null;
const listeners = new Set<() => void>();

/** Begins to listen; the browser offers it once, soon after the page was opened. */
export function listenForInstall(): void {
  addEventListener("beforeinstallprompt", (event) => {
    // Shown where it is in nobody's way, not over the page.
    event.preventDefault();
    setOffer(event as InstallOffer);
  });
  addEventListener("appinstalled", () => setOffer(null));
}

export function useInstallWay(): InstallWay | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => installWay(),
  );
}

/** Has the browser ask; it asks once. */
export async function install(): Promise<void> {
  const asked = offer;
  setOffer(null);
  await asked?.prompt();
}

function installWay(): InstallWay | null {
  if (matchMedia("(display-mode: standalone)").matches) return null;
  if (offer) return "offered";
  // Safari on iPhones and iPads alone says whether the page is on the home screen.
  return (navigator as { standalone?: boolean }).standalone === false ? "share" : null;
}

function setOffer(next: InstallOffer | null): void {
  offer = next;
  for (const listener of listeners) listener();
}
