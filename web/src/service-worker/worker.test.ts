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

  async function install(build: string, files: string[], fetch: () => Promise<Answer>) {
    const listeners = new Map<string, Listener>();
    const text = source.replace("__BUILD__", build).replace('"__FILES__"', JSON.stringify(files));
    const names = ["addEventListener", "caches", "clients", "skipWaiting", "fetch", "location", "Request"];
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the worker is a script, as the browser runs it
    const run = new Function(...names, text) as (...parts: unknown[]) => void;
    run(
      (name: string, listener: Listener) => listeners.set(name, listener),
      caches,
      { claim: () => Promise.resolve() },
      () => Promise.resolve(),
      fetch,
      { origin: ORIGIN },
      class {
        constructor(readonly url: string) {}
      },
    );
    for (const name of ["install", "activate"]) {
      await new Promise((done) =>
        listeners.get(name)?.({ waitUntil: (work: Promise<unknown>) => void work.then(done) }),
      );
    }
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
  return { stores, install };
}

const FILES = ["/", "/assets/index-1.js", "/icon.svg"];
const fresh = () => Promise.resolve({ from: "server", ok: true });
const gone = () => Promise.reject(new Error("no network"));
const navigate = { mode: "navigate" };
const reload = { mode: "navigate", cache: "no-cache" };

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
