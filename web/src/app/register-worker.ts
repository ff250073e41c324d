/* The offline shell. Browsers offer it only on https and localhost; without it the page just needs the network. */

export function registerWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register("/sw.js").catch(() => {
    // A certificate that the browser does not trust by itself: then there is no shell, and all else works.
  });
}
