/*
 * Loads the page again, and the newest: the worker that keeps it on this device is renewed first, because which of the two a plain reload
 * shows is for the browser to say.
 */

/** Longer than this nobody waits; then the old one may come once more. */
const PATIENCE_MS = 8_000;

export async function reloadNewest(reload = () => location.reload()): Promise<void> {
  const workers = "serviceWorker" in navigator ? navigator.serviceWorker : null;
  try {
    const registration = await workers?.getRegistration();
    if (workers && registration) await Promise.race([renewed(workers, registration), patience()]);
  } catch {
    // Without the network there is nothing newer to be had.
  }
  reload();
}

/** Resolves when the newest worker has taken over, or is the one that is there. */
async function renewed(
  workers: ServiceWorkerContainer,
  registration: ServiceWorkerRegistration,
): Promise<void> {
  const takenOver = new Promise<void>((resolve) =>
    workers.addEventListener("controllerchange", () => resolve(), { once: true }),
  );
  await registration.update();
  if (registration.installing ?? registration.waiting) await takenOver;
}

function patience(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
}
