/*
 * The offline shell: the files of one build, kept so that the page opens without a network. Nothing else is ever kept: what
 * the server says over the socket and under /api/ passes by untouched.
 *
 * Upgrades: with every opening the browser asks for a newer worker; it brings the newer page, which shows at the next opening,
 * or at once when the page is loaded again. Its files have their hash in their names and are never mistaken for old ones. A new worker takes over at once and keeps the build before its own as well,
 * because a page of that build may still be open and want a part it has not loaded yet.
 */
const BUILD = "__BUILD__";
const FILES = "__FILES__";

const PREFIX = "shell-";
const CACHE = PREFIX + BUILD;
/* Whoever loads the page again wants the newest, but longer than this nobody waits for one that is already here. */
const PATIENCE_MS = 3_000;

addEventListener("install", (event) => {
  event.waitUntil(keep().then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  event.waitUntil(forgetOld().then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") {
    if (pathname === "/") event.respondWith(page(request));
  } else if (pathname.startsWith("/assets/") || FILES.includes(pathname)) {
    event.respondWith(file(request));
  }
});

async function keep() {
  const cache = await caches.open(CACHE);
  // Not from the browser's own cache: the page there may be of another build.
  await cache.addAll(FILES.map((path) => new Request(path, { cache: "reload" })));
}

async function forgetOld() {
  const kept = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(kept.slice(0, -1).map((name) => caches.delete(name)));
}

/* From here: whoever opens the page to answer waits for no network. Loaded again, it comes from the server when that answers. */
async function page(request) {
  const here = await caches.match("/", { cacheName: CACHE });
  if (!here) return fetch(request);
  if (request.cache === "default") return here;
  const patience = new Promise((resolve) => setTimeout(() => resolve(here), PATIENCE_MS));
  // Whatever answers with an error (a tunnel whose far end is down) is not our page.
  const fresh = fetch(request).then((answer) => (answer.ok ? answer : here));
  return Promise.race([fresh, patience]).catch(() => here);
}

/* Files with a hash never change; the others change with the build, and with it this worker. */
async function file(request) {
  const own = await caches.match(request, { cacheName: CACHE });
  return own ?? (await caches.match(request)) ?? fetch(request);
}
