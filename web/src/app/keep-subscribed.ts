/*
 * Keeps notifications right from behind the page: tells the server how this browser is reached, because browsers change that without
 * a word, and takes away what is still shown of prompts that are over.
 */
import { pushChoice, pushSupport, wayWith } from "@/lib/push";
import type { App } from "@/state/app-context";

export function keepSubscribed({ store, verbs }: App): void {
  if (pushSupport() !== "ready") return;
  let told = false;
  let shown = "";

  async function tell() {
    const choice = pushChoice();
    if (!choice || Notification.permission !== "granted") return;
    const { status } = await verbs.ask({ type: "notify", notify: { type: "status" } }, "notify");
    const subscription = await wayWith(status.publicKey, choice);
    if (!subscription) return;
    await verbs.ask({ type: "notify", notify: { type: "subscribe", subscription } }, "notify");
  }

  /** The tag of a prompt is its id without dashes. */
  async function takeAway(open: string[]) {
    const registration = await navigator.serviceWorker.getRegistration();
    for (const notification of (await registration?.getNotifications()) ?? []) {
      const { tag } = notification;
      const ofPrompt = /^[0-9a-f]{32}$/.test(tag) && (notification.data as Data)?.link?.startsWith("#/p/");
      const isOver = ofPrompt === true && !open.includes(tag);
      const nothingWaits = tag === "several" && open.length === 0;
      if (isOver || nothingWaits || (notification.data as Data)?.withdrawn) notification.close();
    }
  }

  function look() {
    const { connection, knownAt, loaded, prompts, visible } = store.getState();
    if (connection.type !== "live" || !loaded || knownAt !== null) return;
    if (!told) {
      told = true;
      // Without an address, or without a network, it is tried at the next start.
      tell().catch(() => undefined);
    }
    const open = prompts.map(({ prompt }) => prompt.requestId.replaceAll("-", ""));
    const now = `${visible} ${open.join(" ")}`;
    if (now === shown || !visible) return;
    shown = now;
    takeAway(open).catch(() => undefined);
  }

  store.subscribe(look);
  look();
}

type Data = { link?: string; withdrawn?: boolean } | null;
