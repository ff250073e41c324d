/*
 * The offline shell, and what shows notifications while the page is closed.
 *
 * The shell: the files of one build, kept so that the page opens without a network. Nothing else is ever kept: what
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

addEventListener("push", (event) => {
  event.waitUntil(show(event.data));
});

addEventListener("notificationclick", (event) => {
  const { notification, action } = event;
  notification.close();
  event.waitUntil(notification.data?.[action] ? answer(notification, action) : open(notification.data?.link));
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

/* What cannot be read is told as well: browsers take notifications away from a page that is woken and shows nothing. */
async function show(data) {
  let message;
  try {
    message = data.json();
  } catch {
    message = { notification: { title: "Answerback", body: "A session needs you." } };
  }
  const { notification, app_badge: waiting } = message;
  const { title, body, tag, silent = false, data: kept, actions = [] } = notification;
  const wasShown = tag ? (await registration.getNotifications({ tag })).length > 0 : false;
  await registration.showNotification(title, {
    body,
    tag,
    silent,
    renotify: !silent && Boolean(tag),
    data: kept,
    actions: actions.map(({ action, title }) => ({ action, title })),
    icon: "/icon-192.png",
  });
  if (navigator.setAppBadge && waiting !== undefined)
    await navigator.setAppBadge(waiting).catch(() => undefined);
  // That something is over matters only to who still sees that it was asked.
  if (kept?.withdrawn && !wasShown) {
    for (const shown of await registration.getNotifications({ tag })) shown.close();
  }
}

/* The token answers this one prompt with this one option, once. What went wrong is said in the place of the question. */
async function answer({ title, tag, data }, action) {
  let problem = "Your computer was not reached. Tap to open the question.";
  try {
    const reply = await fetch("/api/notify/answer", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token: data[action] }),
    });
    if (reply.ok) return;
    problem = (await reply.json()).message ?? problem;
  } catch {
    // The words are set already.
  }
  await registration.showNotification(title, {
    body: `Not answered: ${problem}`,
    tag,
    data: { link: data.link },
    icon: "/icon-192.png",
  });
}

/* The page that is open goes there; without one, a new one does. */
async function open(link = "#/") {
  const address = `${location.origin}/${link}`;
  const pages = await clients.matchAll({ type: "window" });
  const page = pages.find(({ visibilityState }) => visibilityState === "visible") ?? pages[0];
  if (!page) return clients.openWindow(address);
  const focused = await page.focus().catch(() => page);
  return focused.navigate(address).catch(() => clients.openWindow(address));
}
