/* What the browser knows of notifications: whether it can show any, and how it is reached through its push service. */
import { forget, recall, remember } from "@/lib/storage";
import type { PushSubscription as Way } from "@/wire/notify";

/** `insecure`: browsers offer it on https only; `install`: iPhones to apps on the home screen only. */
export type PushSupport = "ready" | "insecure" | "install" | "unsupported" | "denied";

/** The worker is set up some seconds after the page. */
const PATIENCE_MS = 10_000;
/** The person's choice on this device; nothing when it is not told. */
const CHOICE = "push";

interface Choice {
  /** Also when a session has finished. */
  finished: boolean;
}

export function pushSupport(): PushSupport {
  if (!window.isSecureContext) return "insecure";
  if (!("PushManager" in window) || !("serviceWorker" in navigator)) {
    return /iPhone|iPad|Macintosh.*Mobile/.test(navigator.userAgent) ? "install" : "unsupported";
  }
  return Notification.permission === "denied" ? "denied" : "ready";
}

export function pushChoice(): Choice | null {
  return recall<Choice | null>(CHOICE, null);
}

/** Asks the person and then the browser. Only a tap may do so. */
export async function turnOn(publicKey: string, choice: Choice): Promise<Way> {
  if ((await Notification.requestPermission()) !== "granted") {
    throw new Error("The browser was not allowed to show notifications.");
  }
  const way = await wayWith(publicKey, choice);
  if (!way) throw new Error("The browser gave no address at its push service.");
  remember(CHOICE, choice);
  return way;
}

export async function turnOff(): Promise<void> {
  forget(CHOICE);
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** How this browser is reached, with a fresh address where the old one is gone or was made for another key. */
export async function wayWith(publicKey: string, { finished }: Choice): Promise<Way | null> {
  const { pushManager } = await worker();
  let subscription = await pushManager.getSubscription();
  if (subscription && keyOf(subscription.options.applicationServerKey) !== publicKey) {
    await subscription.unsubscribe();
    subscription = null;
  }
  subscription ??= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { endpoint, keys } = subscription.toJSON();
  if (endpoint === undefined || keys?.p256dh === undefined || keys.auth === undefined) return null;
  return { endpoint, p256dh: keys.p256dh, auth: keys.auth, origin: location.origin, finished };
}

/** Without a certificate that the browser trusts there never is one; otherwise it comes soon after the page. */
function worker(): Promise<ServiceWorkerRegistration> {
  const late = new Promise<never>((_, reject) => {
    const words =
      "The browser keeps no worker for this page: does it trust its certificate? Load the page again.";
    setTimeout(() => reject(new Error(words)), PATIENCE_MS);
  });
  return Promise.race([navigator.serviceWorker.ready, late]);
}

function keyOf(key: ArrayBuffer | null): string {
  const text = String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0)));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
