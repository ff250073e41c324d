/* The offline shell. Browsers offer it only on https and localhost; without it the page just needs the network. */

const WORKER = "/sw.js";

interface TrustedTypes {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ) => {
    createScriptURL: (url: string) => string;
  };
}

export function registerWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register(workerUrl()).catch(() => {
    // A certificate that the browser does not trust by itself: then there is no shell, and all else works.
  });
}

/** The page's policy lets nothing become a script but this one file; browsers without such a policy take it as it is. */
function workerUrl(): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  return (
    trustedTypes?.createPolicy("worker", { createScriptURL: () => WORKER }).createScriptURL(WORKER) ?? WORKER
  );
}
