/* The page as an app: it can be installed, opens without a network, follows an upgrade, and keeps nothing of the server's. */
import type { Page, Request } from "@playwright/test";
import { expect, test } from "../harness/story";

/* What is fetched two seconds after the page, for the next tap. */
const AHEAD =
  /keep-subscribed|push|new-session|session-panel|terminal-page|live-screen|key-bar|tool-inside|page-bar|field|use-asked/;

interface Manifest {
  name: string;
  short_name: string;
  start_url: string;
  scope: string;
  display: string;
  icons: { src: string; sizes: string; type: string; purpose?: string }[];
}

test("it has what a browser asks of an app", async ({ phone, server }) => {
  const { page } = phone;
  const href = await page.locator("link[rel=manifest]").getAttribute("href");
  const answer = await page.request.get(`${server.origin}${href ?? ""}`);
  expect(answer.headers()["content-type"]).toBe("application/manifest+json");
  const manifest = (await answer.json()) as Manifest;
  expect(manifest).toMatchObject({ name: "Answerback", start_url: "/", scope: "/", display: "standalone" });
  for (const purpose of ["any", "maskable"]) {
    for (const sizes of ["192x192", "512x512"]) {
      expect(manifest.icons).toContainEqual(expect.objectContaining({ purpose, sizes, type: "image/png" }));
    }
  }
  for (const { src, sizes } of manifest.icons) {
    const size = await page.evaluate(sizeOf, src);
    if (sizes !== "any") expect(`${size.width}x${size.height}`, src).toBe(sizes);
  }
  await expect(page.locator("link[rel=apple-touch-icon]")).toHaveAttribute("href", "/icon-180.png");
  await isControlled(page);
  const errors = await installabilityErrors(page);
  expect(errors).toEqual([]);
});

test("without a network it opens with what was known, and says that it is old", async ({
  phone,
  context,
  server,
}) => {
  await phone.startDemo();
  await isControlled(phone.page);
  await phone.goHome();
  await expect(phone.page.getByRole("region", { name: "Running" }).getByRole("link")).toBeVisible();
  await context.setOffline(true);
  // What is on the screen is said to be old.
  await expect(phone.status(/reconnecting|offline/)).toBeVisible();
  await phone.page.reload();
  await expect(phone.page.getByRole("heading", { name: "Answerback" })).toBeVisible();
  await expect(phone.status(/connecting|offline/)).toBeVisible();
  const note = phone.page.getByText(/^Not connected\. This is how it was at \d\d:\d\d\.$/);
  await expect(note).toBeVisible();
  await expect(phone.page.getByRole("region", { name: "Running" }).getByRole("link")).toBeVisible();
  await expect(phone.status(/offline since/)).toBeVisible({ timeout: 30_000 });
  await context.setOffline(false);
  await phone.isLive();
  await expect(note).toBeHidden();
  await phone.openSession();
  await phone.isReady();

  // Nothing that the server said is kept: only files of the page itself.
  const kept = await phone.page.evaluate(async () => {
    const caching = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    return (await Promise.all(caching.map((cache) => cache.keys())))
      .flat()
      .map(({ url }) => new URL(url).pathname);
  });
  expect(kept.length).toBeGreaterThan(5);
  expect(
    kept.filter((path) => !/^\/(assets\/[\w.-]+|icon[\w.-]*|manifest\.webmanifest)?$/.test(path)),
  ).toEqual([]);
  const worker = await context.request.get(`${server.origin}/sw.js`);
  expect(worker.headers()["cache-control"]).toBe("no-cache");
});

test(
  "a prompt that waited is on the sheet without a network; the answer goes out with it",
  { tag: "@every-phone" },
  async ({ phone, context }) => {
    await phone.startDemo();
    await isControlled(phone.page);
    await phone.ask("command", "May I run this command?");
    await context.setOffline(true);
    await phone.page.reload();
    const sheet = await phone.sheetIs("May I run this command?");
    await expect(sheet.getByRole("status").filter({ hasText: /connecting|offline/ })).toBeVisible();
    await phone.option("No").tap();
    await expect(sheet.getByText(/sending/)).toBeVisible();
    await context.setOffline(false);
    await phone.understood("command -> No");
  },
);

test("the number of waiting prompts is on the app's icon", async ({ phone }) => {
  await phone.page.addInitScript(() => {
    const told: number[] = [];
    Object.assign(globalThis, { badges: told });
    Object.assign(navigator, {
      setAppBadge: (count: number) => {
        told.push(count);
        return Promise.resolve();
      },
    });
  });
  await phone.page.reload();
  await phone.isLive();
  const badge = () => phone.page.evaluate(() => (globalThis as { badges?: number[] }).badges?.at(-1));
  await phone.startDemo();
  await phone.ask("command", "May I run this command?");
  await expect.poll(badge).toBe(1);
  await phone.option("No").tap();
  await expect.poll(badge).toBe(0);
});

test.describe("without an offline shell", () => {
  // It would fetch everything ahead.
  test.use({ serviceWorkers: "block" });

  test("a page that cannot be fetched says so, and the rest goes on", async ({ phone, server }) => {
    const { page } = phone;
    await page.route(/settings-page.*\.js$/, (route) => route.abort());
    await page.getByRole("link", { name: "Settings" }).tap();
    await expect(phone.alert).toContainText("could not be shown");
    await page.getByRole("link", { name: "All sessions" }).tap();
    await phone.isLive();
    await page.goto(`${server.origin}/#/settings`);
    await page.unrouteAll();
    await phone.button("Load the page again").tap();
    await expect(page.getByRole("heading", { name: "Devices" })).toBeVisible();
  });

  test("a first opening fetches nothing before the prompt but the page itself, and calls the server meanwhile", async ({
    phone,
    server,
    browser,
    contextOptions,
  }) => {
    await phone.startDemo();
    await phone.ask("command", "May I run this command?");
    const storageState = await phone.credential(server.origin);
    const context = await browser.newContext({ ...contextOptions, storageState });
    const page = await context.newPage();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname.replace(/-[\w-]{8}\./, ".")));
    page.on("websocket", () => asked.push("the socket"));
    await page.goto(phone.page.url());
    await expect(page.getByRole("alertdialog")).toBeVisible();
    const socket = asked.indexOf("the socket");
    expect(asked.slice(0, socket).sort()).toEqual([
      "/",
      "/assets/early-line.js",
      "/assets/index.css",
      "/assets/index.js",
    ]);
    // The icon is the browser's own wish.
    expect(asked.slice(socket + 1).filter((path) => path.startsWith("/api/"))).toEqual([]);
    await context.close();
  });

  test("list, chat and sheet are fetched in at most 120 KB", async ({
    phone,
    server,
    browser,
    contextOptions,
  }) => {
    await phone.startDemo();
    await phone.say("hello");
    await expect(phone.chat.getByText("You said: hello")).toBeVisible();
    await phone.ask("plan", "Shall I carry out this plan?");
    // A phone of the same person that has never seen the page.
    const storageState = await phone.credential(server.origin);
    const context = await browser.newContext({ ...contextOptions, storageState });
    const page = await context.newPage();
    const fetched: Request[] = [];
    page.on("requestfinished", (request) => fetched.push(request));
    await page.goto(phone.page.url());
    const sheet = page.getByRole("alertdialog", { name: "Shall I carry out this plan?" });
    // As markdown, and the chat behind it too.
    await expect(sheet.getByRole("heading", { name: "Add a cart" })).toBeVisible();
    await expect(page.locator(".message code", { hasText: "help" })).toBeAttached();

    const sizes: [path: string, bytes: number][] = [];
    for (const request of fetched) {
      const { pathname } = new URL(request.url());
      // Icons and manifest are the browser's own wish; what is fetched ahead for later taps is not needed here.
      if (!/^\/(assets\/|$)/.test(pathname) || AHEAD.test(pathname)) continue;
      sizes.push([pathname, (await request.sizes()).responseBodySize]);
    }
    for (const [path, bytes] of sizes)
      console.log(`      ${path.padEnd(40)} ${(bytes / 1024).toFixed(1)} KB`);
    const sum = sizes.reduce((all, [, bytes]) => all + bytes, 0) / 1024;
    console.log(`      ${"all".padEnd(40)} ${sum.toFixed(1)} KB`);
    expect(sizes.length).toBeGreaterThan(4);
    expect(Math.min(...sizes.map(([, bytes]) => bytes))).toBeGreaterThan(0);
    expect(sum).toBeLessThanOrEqual(120);
    const lazily = sizes.filter(([path]) => /highlight|settings|search|review|qr-code/.test(path));
    expect(lazily, "what only some need").toEqual([]);
    await context.close();
  });
});

async function isControlled(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
}

async function sizeOf(src: string): Promise<{ width: number; height: number }> {
  const image = new Image();
  image.src = src;
  await image.decode();
  return { width: image.naturalWidth, height: image.naturalHeight };
}

/** What Chromium itself still misses; that the window is a private one is the test's doing. */
async function installabilityErrors(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  return installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito");
}
