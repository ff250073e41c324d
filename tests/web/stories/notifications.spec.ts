/* Being told while the page is closed: from the agent's question to the browser's notification, and back by its button. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, Page, Worker } from "@playwright/test";
import { Phone } from "../harness/phone";
import { PushService, type Pushed } from "../harness/push-service";
import { Server } from "../harness/server";
import { expect, test as base } from "../harness/story";

interface Told {
  /** More lines for the table of the settings. */
  settings: string;
  push: PushService;
  /** A page of the same origin that is not ours: it keeps the browser open, and shows nothing. */
  beside: Page;
}

const test = base.extend<Told>({
  settings: ["", { option: true }],
  server: async ({ settings }, use) => {
    const folder = mkdtempSync(join(tmpdir(), "ab-notify-"));
    const config = join(folder, "config.toml");
    writeFileSync(config, `[notify]\ndwell = 1\n${settings}\n`);
    const server = await Server.start(["--config", config]);
    await use(server);
    await server.close();
    rmSync(folder, { recursive: true });
  },
  push: async ({}, use) => {
    const push = await PushService.start();
    await use(push);
    push.close();
  },
  phone: async ({ context, server, push }, use) => {
    await context.addInitScript(subscribesAt, push.subscription);
    const phone = await Phone.paired(context, server, "My phone");
    await phone.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await phone.page.goto(`${server.origin}/#/settings`);
    await phone.button("Tell this device when a session needs me").tap();
    await expect(phone.page.getByText("This device is told when a session needs you")).toBeVisible();
    await phone.page.goto(`${server.origin}/#/`);
    await use(phone);
  },
  beside: async ({ context, server }, use) => {
    const page = await context.newPage();
    await page.goto(`${server.origin}/icon.svg`);
    await use(page);
  },
});

test("a question is pushed to a closed page, answered by its button, and the agent hears it once", async ({
  phone,
  context,
  server,
  push,
  beside,
}) => {
  await phone.startDemo();
  await phone.ask("command", "May I run this command?");
  const chat = phone.page.url();
  const id = phone.prompts().at(-1)?.requestId ?? "";
  await phone.page.close();

  await expect.poll(() => push.received.length).toBe(1);
  const [pushed] = push.received as [Pushed];
  expect(pushed.headers).toMatchObject({ urgency: "high", topic: id.replaceAll("-", "") });
  expect(pushed.notification).toMatchObject({
    title: expect.stringContaining("May I run this command?"),
    body: expect.stringContaining("cargo test --workspace --quiet"),
    tag: id.replaceAll("-", ""),
    navigate: `${server.origin}/#/p/${id}`,
  });
  expect(pushed.notification.actions.map(({ action }) => action)).toEqual(["allow", "deny"]);

  const worker = await workerOf(context);
  await deliver(beside, server, pushed);
  await expect.poll(() => shown(worker)).toMatchObject([{ tag: pushed.notification.tag }]);
  await tap(worker, pushed, "allow");

  const again = new Phone(await context.newPage(), server);
  await again.page.goto(chat);
  await again.understood("command -> Yes");
  const journal = await server.command("journal", "show", "--json");
  expect(journal).toContain('"type":"notification"');

  // A double tap, and one at the other button: both are refused, and nothing is typed.
  for (const action of ["allow", "deny"] as const) {
    await tap(worker, pushed, action);
    await expect.poll(async () => (await shown(worker))[0]?.body).toMatch(/^Not answered: /);
  }
  await again.say("still there?");
  await expect(again.chat.getByText("You said: still there?")).toBeVisible();
  await expect(again.chat.getByText(/^Understood: /)).toHaveCount(1);
  expect(push.tries).toBe(1);
});

test("what is answered at the desk is withdrawn, and late, forged and foreign buttons change nothing", async ({
  phone,
  context,
  server,
  push,
  beside,
  browser,
}) => {
  await phone.startDemo();
  await phone.ask("command", "May I run this command?");
  const chat = phone.page.url();
  await phone.page.close();
  await expect.poll(() => push.received.length).toBe(1);
  const [asked] = push.received as [Pushed];
  const token = String(asked.notification.data.allow);

  // Another device has a cookie, but not this button.
  const stranger = await browser.newContext();
  await Phone.pair(stranger, server, "Another phone");
  const post = (from: BrowserContext, token: string) =>
    from.request.post(`${server.origin}/api/notify/answer`, {
      headers: { origin: server.origin },
      data: { token },
    });
  expect((await post(stranger, token)).status()).toBe(403);
  await stranger.close();
  expect((await post(context, "0".repeat(64))).status()).toBe(403);
  const nobody = await browser.newContext();
  expect((await post(nobody, token)).status()).toBe(401);
  await nobody.close();

  const worker = await workerOf(context);
  await deliver(beside, server, asked);
  await expect.poll(async () => (await shown(worker)).length).toBe(1);
  await server.pressAtDesk("Enter");
  await expect.poll(() => push.received.length).toBe(2);
  const [, over] = push.received as [Pushed, Pushed];
  expect(over.headers.topic).toBe(asked.headers.topic);
  expect(over.notification).toMatchObject({ tag: asked.notification.tag, silent: true });
  await deliver(beside, server, over);
  await expect
    .poll(async () => (await shown(worker)).map(({ title }) => title))
    .toEqual([over.notification.title]);

  await tap(worker, asked, "deny");
  await expect.poll(async () => (await shown(worker))[0]?.body).toMatch(/^Not answered: /);
  const again = new Phone(await context.newPage(), server);
  await again.page.goto(chat);
  await again.understood("command -> Yes");
});

test("a tap on the notification opens that question; a dangerous one can only be refused from outside", async ({
  phone,
  context,
  server,
  push,
}) => {
  await phone.startDemo();
  await phone.ask("danger", "May I run this command?");
  await phone.tapOutside();
  await expect.poll(() => push.received.length).toBe(1);
  const [pushed] = push.received as [Pushed];
  expect(pushed.notification.actions.map(({ action }) => action)).toEqual(["deny"]);
  expect(pushed.notification.data).not.toHaveProperty("allow");

  const worker = await workerOf(context);
  await deliver(phone.page, server, pushed);
  await tap(worker, pushed, "");
  await phone.sheetIs("May I run this command?");
  expect(new URL(phone.page.url()).hash).toMatch(/^#\/s\//);

  // And once it is over, its address says so.
  await tap(worker, pushed, "deny");
  await expect(phone.sheet).toBeHidden();
  await phone.page.goto(pushed.notification.navigate);
  await expect(phone.status("That question is over.")).toBeVisible();
  await expect(phone.page.getByRole("heading", { name: "Answerback" })).toBeVisible();

  // A device that is revoked is told nothing, and its buttons are nobody's.
  await server.command("devices", "revoke", "My phone");
  expect(await server.command("notify", "status")).toContain("nobody is told");
  const late = await context.request.post(`${server.origin}/api/notify/answer`, {
    headers: { origin: server.origin },
    data: { token: pushed.notification.data.deny },
  });
  expect(late.status()).toBe(401);
});

test("trouble of the push service is shown, tried again, and ends what is gone for good", async ({
  phone,
  server,
  push,
}) => {
  const { page } = phone;
  await page.goto(`${server.origin}/#/settings`);
  const test = async (status: number, words: RegExp) => {
    push.answers.push({ status });
    await phone.button("Send a test").tap();
    await expect(phone.status(words)).toBeVisible();
  };
  await test(201, /taken by 127\.0\.0\.1 \(201\)/);
  await test(403, /refuses our key or contact.* \(403\)/);
  await test(413, /too long \(413\)/);
  await test(503, /has a fault \(503\)/);
  await server.command("notify", "test");
  expect(await server.command("notify", "status")).toMatch(
    /web-push +My phone +through 127\.0\.0\.1, since today/,
  );
  expect(await server.command("doctor")).toContain("1 told while the page is closed");

  // A question is told when the service is there again.
  await page.goto(`${server.origin}/#/`);
  await phone.startDemo();
  await phone.ask("command", "May I run this command?");
  const before = push.tries;
  const taken = push.received.length;
  push.answers.push({ status: 503 }, { status: 429, headers: { "retry-after": "1" } });
  await phone.tapOutside();
  await expect.poll(() => push.received.length, { timeout: 30_000 }).toBe(taken + 1);
  expect(push.tries).toBe(before + 3);

  await page.goto(`${server.origin}/#/settings`);
  push.answers.push({ status: 410 });
  await phone.button("Send a test").tap();
  await expect(phone.button("Tell this device when a session needs me")).toBeVisible();
  expect(await server.command("notify", "status")).toContain("nobody is told");
});

test.describe("without a device that wants it", () => {
  test.use({
    settings: 'command = ["/bin/sh", "-c", "env | grep ^ANSWERBACK_ >> $HOME/told"]',
  });

  test("a command of the person's is told, and told when it is over", async ({ context, server }) => {
    const phone = await Phone.paired(context, server, "My phone");
    await phone.startDemo();
    await phone.ask("command", "May I run this command?");
    const told = () => {
      try {
        return readFileSync(join(server.home, "told"), "utf8");
      } catch {
        return "";
      }
    };
    await expect.poll(told).toContain("ANSWERBACK_BODY=cargo test --workspace --quiet");
    expect(told()).toContain("ANSWERBACK_KIND=needs-you");
    await phone.option("No").tap();
    await phone.understood("command -> No");
    await expect.poll(told).toContain("ANSWERBACK_KIND=withdrawn");
    expect(told()).toContain("ANSWERBACK_TITLE=Answered by My phone");
    expect(told().match(/KIND=needs-you/g)).toHaveLength(1);
  });
});

/**
 * In place of a browser that would have to ask a person, and its maker's servers: the address and keys of the story's own. Without a
 * screen Chromium allows no notifications at all.
 */
function subscribesAt({ endpoint, keys }: PushService["subscription"]): void {
  const KEPT = "stories.push";
  const made = (key: string) => ({
    options: {
      applicationServerKey: Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (ch) =>
        ch.charCodeAt(0),
      ).buffer,
    },
    toJSON: () => ({ endpoint, keys }),
    unsubscribe: () => {
      localStorage.removeItem(KEPT);
      return Promise.resolve(true);
    },
  });
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
  Notification.requestPermission = () => Promise.resolve("granted");
  Object.assign(PushManager.prototype, {
    subscribe({ applicationServerKey }: { applicationServerKey: string }) {
      localStorage.setItem(KEPT, applicationServerKey);
      return Promise.resolve(made(applicationServerKey));
    },
    getSubscription() {
      const key = localStorage.getItem(KEPT);
      return Promise.resolve(key === null ? null : made(key));
    },
  });
}

/** The real worker, on a browser whose screen is a list, and whose icon shows no number: without a screen Chromium ends a worker that asks. */
async function workerOf(context: BrowserContext): Promise<Worker> {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  await worker.evaluate(() => {
    const screen: { title: string; tag?: string; close: () => void }[] = [];
    const { registration } = globalThis as unknown as { registration: object };
    Object.assign(navigator, { setAppBadge: () => Promise.resolve() });
    Object.assign(registration, {
      showNotification(title: string, options: { tag?: string }) {
        const same = screen.findIndex(({ tag }) => tag === options.tag);
        if (same >= 0) screen.splice(same, 1);
        const shown = { title, ...options, close: () => void screen.splice(screen.indexOf(shown), 1) };
        screen.push(shown);
        return Promise.resolve();
      },
      getNotifications: ({ tag }: { tag?: string } = {}) =>
        Promise.resolve(screen.filter((shown) => tag === undefined || shown.tag === tag)),
    });
  });
  return worker;
}

/** Hands the real worker what the browser would have decrypted. */
async function deliver(page: Page, server: Server, { text }: Pushed): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const found = new Promise<string>((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL === `${server.origin}/`);
      if (own) resolve(own.registrationId);
    });
  });
  await session.send("ServiceWorker.enable");
  const registrationId = await found;
  await session.send("ServiceWorker.deliverPushMessage", {
    origin: server.origin,
    registrationId,
    data: text,
  });
}

interface Shown {
  title: string;
  body: string;
  tag: string;
}

function shown(worker: Worker): Promise<Shown[]> {
  return worker.evaluate(async () => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
    return (await registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }));
  });
}

/** A finger on the notification or one of its buttons: what the browser then tells the worker, and all that the worker does. */
function tap(worker: Worker, { notification }: Pushed, action: "allow" | "deny" | ""): Promise<void> {
  const { title, body, tag, data } = notification;
  return worker.evaluate(
    async ({ title, body, tag, data, action }) => {
      const notification = { title, body, tag, data, close: () => undefined };
      let work: Promise<unknown> = Promise.resolve();
      const event = Object.assign(new Event("notificationclick"), {
        notification,
        action,
        waitUntil: (given: Promise<unknown>) => (work = given),
      });
      dispatchEvent(event);
      await work;
    },
    { title, body, tag, data, action },
  );
}
