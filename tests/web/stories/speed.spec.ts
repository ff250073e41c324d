/* How long the sheet takes on a slow phone: a processor four times slower, a slow mobile net. The figures are printed. */
import type { CDPSession, Page } from "@playwright/test";
import { expect, test } from "../harness/story";

/** What Lighthouse calls slow 4G. */
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_638_400 / 8,
  uploadThroughput: 768_000 / 8,
};

async function slowDown(page: Page): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", SLOW_4G);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  return devtools;
}

/** From the frame with the prompt to buttons that take a tap, both measured inside the page. */
test("a prompt can be answered within a second of its arrival", async ({ phone }) => {
  await phone.startDemo();
  await slowDown(phone.page);
  await phone.page.evaluate(() => {
    const marks = window as unknown as { arrived?: number; usable?: number };
    const watch = () => {
      const actions = document.querySelector(".sheet__actions");
      if (actions && marks.arrived === undefined) marks.arrived = performance.now();
      const option = actions?.querySelector<HTMLButtonElement>("button.option:enabled");
      if (option && getComputedStyle(actions as Element).pointerEvents !== "none") {
        marks.usable = performance.now();
        return;
      }
      requestAnimationFrame(watch);
    };
    requestAnimationFrame(watch);
  });
  let told = 0;
  phone.page.on("websocket", () => undefined);
  const before = phone.prompts().length;
  await phone.composer.fill("command");
  await phone.button("Send").tap();
  await expect.poll(() => phone.prompts().length, { intervals: [5] }).toBeGreaterThan(before);
  told = Date.now();
  await phone.page.waitForFunction(() => "usable" in window, null, { polling: "raf" });
  const taken = Date.now() - told;
  console.log(`sheet usable ${taken} ms after the prompt arrived (4x processor, slow 4G)`);
  expect(taken).toBeLessThan(1000);
});

test("and a page that is opened anew shows it soon", async ({ phone, server }) => {
  await phone.startDemo();
  await phone.ask("command", "May I run this command?");
  const address = phone.page.url();
  await phone.page.goto("about:blank");
  await slowDown(phone.page);
  const begun = Date.now();
  await phone.page.goto(address, { waitUntil: "commit" });
  await phone.page.waitForSelector(".sheet button.option:enabled");
  console.log(
    `sheet there ${Date.now() - begun} ms after opening the page (4x processor, slow 4G), ${server.origin}`,
  );
});
