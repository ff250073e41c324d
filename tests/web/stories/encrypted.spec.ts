/* The page over https: encrypted by the server itself, and by a proxy in front of it. */
import { X509Certificate } from "node:crypto";
import type { BrowserContext } from "@playwright/test";
import { Phone } from "../harness/phone";
import { Server } from "../harness/server";
import { TlsProxy } from "../harness/tls-proxy";
import { expect, test } from "../harness/story";

const DAY_MS = 24 * 60 * 60 * 1000;

test("with --tls a phone pairs, answers a prompt and keeps the page", async ({ context }) => {
  const server = await Server.start(["--tls"]);
  try {
    const { urls, fingerprint } = await server.offer();
    const link = urls.find((url) => url.startsWith("https://localhost:")) ?? "";
    const phone = new Phone(await context.newPage(), server);
    const opened = await phone.page.goto(link);
    expect(opened?.status()).toBe(200);

    // What the browser warns of can be compared with what stands beside the QR code.
    const { cert } = server.certificate();
    const { subject, fingerprint256, validFrom, validTo, keyUsage } = new X509Certificate(cert);
    expect(fingerprint).toBe(fingerprint256);
    expect(subject).toBe("CN=Answerback");
    expect(keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
    const life = (Date.parse(validTo) - Date.parse(validFrom)) / DAY_MS;
    expect(life).toBeGreaterThan(700);
    expect(life).toBeLessThanOrEqual(825);

    await worksEncrypted(phone, context);
  } finally {
    await server.close();
  }
});

test("behind a proxy that encrypts it is the same", async ({ context, server }) => {
  const maker = await Server.start(["--tls"]);
  const certificate = maker.certificate();
  await maker.close();
  const proxy = await TlsProxy.before(server.origin, certificate);
  try {
    const { code } = await server.offer();
    const phone = new Phone(await context.newPage(), server);
    await phone.page.goto(`${proxy.origin}/#pair=${code}`);
    await worksEncrypted(phone, context);
  } finally {
    await proxy.close();
  }
});

async function worksEncrypted(phone: Phone, context: BrowserContext): Promise<void> {
  const { page } = phone;
  await phone.button("Pair this device").tap();
  await phone.isLive();
  const [cookie, ...others] = await context.cookies();
  expect(others).toEqual([]);
  expect(cookie).toMatchObject({ secure: true, httpOnly: true, sameSite: "Strict", path: "/" });
  expect(cookie?.name).toMatch(/^__Host-answerback-/);

  await phone.startDemo();
  await phone.ask("command", "May I run this command?");
  await phone.option("No").tap();
  await phone.understood("command -> No");

  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await page.reload();
  await phone.isReady();
}
