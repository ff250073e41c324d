/* Nobody gets in who should not: pages of other sites in a paired browser, and devices that were locked out. */
import type { Page } from "@playwright/test";
import { Elsewhere } from "../harness/elsewhere";
import { Phone } from "../harness/phone";
import { expect, test } from "../harness/story";

for (const host of ["localhost", "127.0.0.1"] as const) {
  test(`another page on ${host} reaches nothing, although the browser is paired`, async ({
    phone,
    server,
  }) => {
    await phone.startDemo();
    await phone.ask("command", "May I run this command?");
    const { code } = await server.offer();
    const elsewhere = await Elsewhere.open();
    try {
      const page = await phone.page.context().newPage();
      await page.goto(elsewhere.at(host));
      const answers = await answersOnTheWire(page, server.origin);
      const tried = await page.evaluate(attack, { origin: server.origin, code });
      expect(tried).toEqual({
        "pair as a script": "refused",
        "pair as a form": "refused",
        "ask who I am": "refused",
        "open the socket": "refused",
      });
      // The server itself refused each of them; it was not only the browser that hid the answer.
      await expect
        .poll(answers)
        .toEqual(["GET /api/me 403", "GET /ws 403", "OPTIONS /api/pair 403", "POST /api/pair 403"]);
      await page.close();
    } finally {
      await elsewhere.close();
    }

    // Nothing came of it: no device more, the code unspent, the prompt as it was.
    expect(JSON.parse(await server.command("devices", "--json"))).toMatchObject([{ name: "My phone" }]);
    const reply = await phone.page.context().request.post(`${server.origin}/api/pair`, {
      headers: { origin: server.origin },
      data: { code, name: "The rightful one" },
    });
    expect(reply.status()).toBe(200);
    await phone.option("No").tap();
    await phone.understood("command -> No");
  });
}

/** What the server says to a page from now on, also where the browser keeps it from the page. */
async function answersOnTheWire(page: Page, origin: string): Promise<() => string[]> {
  const asked = new Map<string, string>();
  const came: { requestId: string; statusCode: number }[] = [];
  const sockets: string[] = [];
  page.on("console", (message) => {
    const status = /WebSocket .* Unexpected response code: (\d+)/.exec(message.text())?.[1];
    if (status !== undefined) sockets.push(`GET /ws ${status}`);
  });
  const session = await page.context().newCDPSession(page);
  session.on("Network.requestWillBeSent", ({ requestId, request }) => {
    asked.set(requestId, `${request.method} ${request.url}`);
  });
  session.on("Network.responseReceivedExtraInfo", (answer) => came.push(answer));
  await session.send("Network.enable");
  // The two are joined only now: which of them is told first is not certain.
  return () => {
    const answers = came.map(({ requestId, statusCode }) => `${asked.get(requestId) ?? ""} ${statusCode}`);
    const ours = answers.filter((answer) => answer.includes(origin));
    return [...sockets, ...ours.map((answer) => answer.replace(origin, ""))].sort();
  };
}

/** What a page of another site can try; run in that page. */
async function attack({ origin, code }: { origin: string; code: string }): Promise<Record<string, string>> {
  const body = JSON.stringify({ code, name: "Intruder" });
  const asked = (path: string, init: RequestInit) =>
    fetch(origin + path, { credentials: "include", ...init }).then(
      (response) => (response.type === "opaque" ? "opaque" : `answered ${response.status}`),
      () => "refused",
    );
  const socket = new Promise<string>((resolve) => {
    const opened = new WebSocket(`${origin.replace("http", "ws")}/ws`);
    opened.onopen = () => resolve("open");
    opened.onerror = () => resolve("refused");
  });
  return {
    "pair as a script": await asked("/api/pair", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    }),
    // Sent without asking first, as a form would: the server has to refuse it by itself.
    "pair as a form": await asked("/api/pair", { method: "POST", mode: "no-cors", body }),
    "ask who I am": await asked("/api/me", {}),
    "open the socket": await socket,
  };
}

/** What an agent's own web server on the workstation gets: browsers send cookies to every port of a host. */
test("a cookie that another port of the host has seen opens nothing", async ({ phone, browser, server }) => {
  await phone.startDemo();
  const elsewhere = await Elsewhere.open();
  const page = await phone.page.context().newPage();
  await page.goto(elsewhere.at("localhost"));
  await page.close();
  const cookie = elsewhere.cookies.find((line) => line.includes("answerback-")) ?? "";
  await elsewhere.close();
  const [name = "", value = ""] = cookie.split("=");
  expect(value).toMatch(/^[0-9a-f]{64}$/);

  const thief = new Phone(await (await browser.newContext()).newPage(), server);
  await thief.page.context().addCookies([{ name, value, url: server.origin }]);
  await thief.page.goto(server.origin);
  await expect(thief.page.getByText("This device was paired before.")).toBeVisible();
  // Past our own page: the socket opens, and says nothing but its challenge until it hangs up.
  const said = await thief.page.evaluate(async () => {
    const heard: string[] = [];
    const socket = new WebSocket(`${location.origin.replace("http", "ws")}/ws`);
    socket.onmessage = (event) => {
      heard.push((JSON.parse(String(event.data)) as { type: string }).type);
      socket.send(JSON.stringify({ type: "hello", protocol: 2, proof: "0".repeat(64) }));
    };
    const code = await new Promise((resolve) => (socket.onclose = (event) => resolve(event.code)));
    return [...heard, code];
  });
  expect(said).toEqual(["challenge", 4401]);
  const me = await thief.page.evaluate(async () => (await fetch("/api/me")).json() as Promise<unknown>);
  expect(me).toEqual({ standing: "cookie-only", device: null });
  await phone.say("still here");
});

test("a new device is told to the others, with revoke beside it", async ({ phone, browser, server }) => {
  const other = await Phone.paired(await browser.newContext(), server, "Intruder");
  const alert = phone.alert.filter({ hasText: "Intruder was paired." });
  await expect(alert).toBeVisible();
  // It stays: somebody who was not looking is told as well.
  await phone.page.reload();
  await expect(alert).toBeVisible();
  await phone.button("Revoke Intruder now").tap();
  await phone.secondTap(phone.button("revoke?"));
  await expect(alert).toBeHidden();
  await expect(other.page.getByRole("heading", { name: "Pair this device" })).toBeVisible();
  await phone.page.reload();
  await phone.isLive();
  await expect(phone.alert).toBeHidden();
});

test("a session that is started on the workstation is told, with end beside it", async ({
  phone,
  server,
}) => {
  await server.command("run", "--detach", "demo");
  const alert = phone.alert.filter({ hasText: "was started on the workstation itself" });
  await expect(alert).toBeVisible();
  await alert.getByRole("button", { name: /^End / }).tap();
  await phone.secondTap(phone.button("end?"));
  await expect(phone.page.getByRole("region", { name: "Running" })).toBeHidden();
  await expect(alert).toBeHidden();
});

test("a lost phone is locked out at once, and its page says so", async ({ phone, browser, server }) => {
  const lost = await Phone.paired(await browser.newContext(), server, "Lost phone");
  await lost.startDemo();
  await phone.page.getByRole("link", { name: "Settings" }).tap();
  await phone.button("Revoke Lost phone").tap();
  await phone.secondTap(phone.button("revoke?"));
  await expect(phone.button("Revoke Lost phone")).toBeHidden();
  await expect(phone.button("Revoke My phone")).toBeVisible();

  await expect(lost.page.getByRole("heading", { name: "Pair this device" })).toBeVisible();
  await expect(lost.composer).toBeHidden();
  await lost.page.reload();
  await expect(lost.page.getByRole("heading", { name: "Pair this device" })).toBeVisible();
  // The owner is not disturbed.
  await phone.goHome();
  await phone.isLive();
});

test("the next phone is paired from the settings of the first", async ({ phone, browser, server }) => {
  await phone.page.getByRole("link", { name: "Settings" }).tap();
  await phone.button("Pair another device").tap();
  await expect(phone.page.getByRole("img", { name: "QR code for pairing" })).toBeVisible();
  const link = await phone.page.getByText(`${server.origin}/#pair=`).innerText();
  const next = new Phone(await (await browser.newContext()).newPage(), server);
  await next.page.goto(link);
  await next.page.getByRole("textbox", { name: "Device name" }).fill("Next phone");
  await next.button("Pair this device").tap();
  await next.isLive();
});
