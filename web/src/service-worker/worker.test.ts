/* The service worker in a browser made of a few lines: what it keeps, what it answers, and what it lets pass. */
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ORIGIN = "https://box.example";
const source = readFileSync(new URL("./worker.js", import.meta.url), "utf8");

interface Asked {
  url: string;
  method: string;
  mode: string;
  cache: string;
}

interface Answer {
  from: string;
  ok: boolean;
}

type Listener = (event: object) => void;

/** A browser in which workers of several builds may have been. */
function aBrowser() {
  const stores = new Map<string, Map<string, Answer>>();
  const pathOf = (asked: Asked | string) =>
    new URL(typeof asked === "string" ? asked : asked.url, ORIGIN).pathname;
  const caches = {
    keys: () => Promise.resolve([...stores.keys()]),
    delete: (name: string) => Promise.resolve(stores.delete(name)),
    open(name: string) {
      const store = stores.get(name) ?? new Map<string, Answer>();
      stores.set(name, store);
      return Promise.resolve({
        addAll(asked: Asked[]) {
          for (const each of asked) store.set(pathOf(each), { from: name, ok: true });
          return Promise.resolve();
        },
      });
    },
    match(asked: Asked | string, { cacheName }: { cacheName?: string } = {}) {
      const names = cacheName === undefined ? [...stores.keys()] : [cacheName];
      return Promise.resolve(names.map((name) => stores.get(name)?.get(pathOf(asked))).find(Boolean));
    },
  };

  /** What is shown, by its tag, and which addresses were opened. */
  const notifications = new Map<string, Shown>();
  const opened: string[] = [];
  const openWindow = (address: string) => Promise.resolve(opened.push(address));
  const registration = {
    showNotification(title: string, options: Omit<Shown, "title" | "close">) {
      if (options.silent === true && options.renotify === true) throw new TypeError("silent and renotify");
      notifications.set(options.tag, { title, ...options, close: () => notifications.delete(options.tag) });
      return Promise.resolve();
    },
    getNotifications: ({ tag }: { tag: string }) =>
      Promise.resolve([...notifications.values()].filter((shown) => shown.tag === tag)),
  };

  async function install(build: string, files: string[], fetch: () => Promise<Answer>) {
    const listeners = new Map<string, Listener>();
    const text = source.replace("__BUILD__", build).replace('"__FILES__"', JSON.stringify(files));
    const names = [
      "addEventListener",
      "caches",
      "clients",
      "skipWaiting",
      "fetch",
      "location",
      "Request",
      "registration",
      "navigator",
    ];
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the worker is a script, as the browser runs it
    const run = new Function(...names, text) as (...parts: unknown[]) => void;
    run(
      (name: string, listener: Listener) => listeners.set(name, listener),
      caches,
      { claim: () => Promise.resolve(), matchAll: () => Promise.resolve([]), openWindow },
      () => Promise.resolve(),
      fetch,
      { origin: ORIGIN },
      class {
        constructor(readonly url: string) {}
      },
      registration,
      {},
    );
    for (const name of ["install", "activate"]) {
      await new Promise((done) =>
        listeners.get(name)?.({ waitUntil: (work: Promise<unknown>) => void work.then(done) }),
      );
    }
    /** Wakes the worker and waits until it is done. */
    wake = async (name: string, event: object) => {
      let work: Promise<unknown> = Promise.resolve();
      listeners.get(name)?.({ ...event, waitUntil: (given: Promise<unknown>) => (work = given) });
      await work;
    };
    /** What the worker answers; nothing when it lets the request pass. */
    return (path: string, parts: Partial<Asked> = {}): Promise<Answer> | undefined => {
      let answer: Promise<Answer> | undefined;
      const request = {
        url: new URL(path, ORIGIN).href,
        method: "GET",
        mode: "cors",
        cache: "default",
        ...parts,
      };
      listeners.get("fetch")?.({ request, respondWith: (given: Promise<Answer>) => (answer = given) });
      return answer;
    };
  }
  let wake: (name: string, event: object) => Promise<void> = () => Promise.resolve();
  return { stores, install, notifications, opened, wake: (name: string, event: object) => wake(name, event) };
}

const FILES = ["/", "/assets/index-1.js", "/icon.svg"];
const fresh = () => Promise.resolve({ from: "server", ok: true });
const gone = () => Promise.reject(new Error("no network"));
const navigate = { mode: "navigate" };
const reload = { mode: "navigate", cache: "no-cache" };

interface Shown {
  title: string;
  body?: string;
  tag: string;
  silent?: boolean;
  renotify?: boolean;
  actions?: object[];
  data?: object;
  close: () => void;
}

const TAG = "0".repeat(32);
const question = {
  title: "shop: Run this?",
  body: "npm test",
  tag: TAG,
  silent: false,
  navigate: `${ORIGIN}/#/p/1`,
  data: { link: "#/p/1", withdrawn: false, allow: "yes-token", deny: "no-token" },
  actions: [
    { action: "allow", title: "Allow", navigate: `${ORIGIN}/#/p/1` },
    { action: "deny", title: "Deny", navigate: `${ORIGIN}/#/p/1` },
  ],
};
const pushed = (notification: object) => ({
  data: { json: () => ({ web_push: 8030, notification, app_badge: 1 }) },
});
const over = {
  ...question,
  title: "Answered by the desk",
  silent: true,
  data: { link: "#/", withdrawn: true },
};

test("a push is shown with its buttons, and replaced in silence when it is over", async () => {
  const browser = aBrowser();
  await browser.install("one", FILES, fresh);
  await browser.wake("push", pushed(question));
  const shown = browser.notifications.get(TAG);
  expect(shown).toMatchObject({ title: "shop: Run this?", body: "npm test", renotify: true, silent: false });
  expect(shown?.actions).toEqual([
    { action: "allow", title: "Allow" },
    { action: "deny", title: "Deny" },
  ]);
  await browser.wake("push", pushed({ ...over, actions: [] }));
  expect(browser.notifications.get(TAG)).toMatchObject({ title: "Answered by the desk", silent: true });
});

test("that something is over is not left on a screen that never showed it", async () => {
  const browser = aBrowser();
  await browser.install("one", FILES, fresh);
  await browser.wake("push", pushed(over));
  expect([...browser.notifications]).toEqual([]);
});

test("a push that cannot be read is shown all the same", async () => {
  const browser = aBrowser();
  await browser.install("one", FILES, fresh);
  await browser.wake("push", { data: null });
  expect([...browser.notifications.values()]).toMatchObject([{ body: "A session needs you." }]);
});

test("a tap opens the prompt, a button answers it with its token", async () => {
  const browser = aBrowser();
  const fetched = vi.fn(() => Promise.resolve({ from: "server", ok: true }));
  await browser.install("one", FILES, fetched);
  const close = vi.fn();
  await browser.wake("notificationclick", { action: "", notification: { ...question, close } });
  expect(browser.opened).toEqual([`${ORIGIN}/#/p/1`]);
  expect(fetched).not.toHaveBeenCalled();
  await browser.wake("notificationclick", { action: "deny", notification: { ...question, close } });
  expect(fetched).toHaveBeenCalledWith(
    "/api/notify/answer",
    expect.objectContaining({ method: "POST", body: JSON.stringify({ token: "no-token" }) }),
  );
  expect(close).toHaveBeenCalledTimes(2);
  expect(browser.notifications.size).toBe(0);
});

test.each([
  [
    "the server refuses it",
    () => Promise.resolve({ ok: false, json: () => ({ message: "it is over" }) }),
    "it is over",
  ],
  ["nobody is reached", gone, "not reached"],
])("when %s, the answer is said to have failed", async (_, fetch, words) => {
  const browser = aBrowser();
  await browser.install("one", FILES, fetch as unknown as () => Promise<Answer>);
  await browser.wake("notificationclick", {
    action: "allow",
    notification: { ...question, close: () => undefined },
  });
  const { body, actions, data } = browser.notifications.get(TAG) ?? {};
  expect(body).toContain(words);
  expect({ actions, data }).toEqual({ actions: undefined, data: { link: "#/p/1" } });
});

test("the page and its files come from here, other files from the server", async () => {
  const ask = await aBrowser().install("one", FILES, fresh);
  await expect(ask("/", navigate)).resolves.toMatchObject({ from: "shell-one" });
  await expect(ask("/assets/index-1.js")).resolves.toMatchObject({ from: "shell-one" });
  await expect(ask("/assets/not-kept.js")).resolves.toMatchObject({ from: "server" });
});

test("a page that is loaded again comes from the server", async () => {
  const ask = await aBrowser().install("one", FILES, fresh);
  await expect(ask("/", reload)).resolves.toMatchObject({ from: "server" });
});

test.each([
  ["no network", gone],
  ["a tunnel whose far end is down", () => Promise.resolve({ from: "tunnel", ok: false })],
])("with %s it is the kept one all the same", async (_, fetch) => {
  const ask = await aBrowser().install("one", FILES, fetch);
  await expect(ask("/", reload)).resolves.toMatchObject({ from: "shell-one" });
});

test("a server that does not answer is not waited for", async () => {
  const ask = await aBrowser().install("one", FILES, () => new Promise(() => undefined));
  const page = ask("/", reload);
  await vi.advanceTimersByTimeAsync(3_000);
  await expect(page).resolves.toMatchObject({ from: "shell-one" });
});

test("what the server says is never kept nor answered from here", async () => {
  const ask = await aBrowser().install("one", FILES, fresh);
  const passing: [string, Partial<Asked>][] = [
    ["/api/me", {}],
    ["/api/sessions/s1/files/a.png", {}],
    ["/ws", {}],
    ["/sw.js", {}],
    ["/api/pair", { method: "POST" }],
    ["/", { method: "POST", ...navigate }],
    ["/elsewhere", navigate],
    ["https://other.example/assets/index-1.js", {}],
  ];
  for (const [path, parts] of passing) expect(ask(path, parts), path).toBeUndefined();
});

test("after an upgrade the build before is kept for pages that are still open, older ones are not", async () => {
  const { stores, install } = aBrowser();
  for (const build of ["one", "two"]) await install(build, ["/", `/assets/index-${build}.js`], gone);
  const ask = await install("three", ["/", "/assets/index-three.js"], gone);
  expect([...stores.keys()]).toEqual(["shell-two", "shell-three"]);
  await expect(ask("/", navigate)).resolves.toMatchObject({ from: "shell-three" });
  await expect(ask("/assets/index-two.js")).resolves.toMatchObject({ from: "shell-two" });
  await expect(ask("/assets/index-one.js")).rejects.toThrow("no network");
});
