/* `npm run pictures`: the main screens in both themes, for README.md and docs. Not a test: nobody compares them. */
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/story";

const FOLDER = process.env.ANSWERBACK_PICTURES ?? resolve(import.meta.dirname, "../../../docs/pictures");

/** The same screen by day and by night, without a path of this machine. */
async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const text = node.textContent ?? "";
      if (/\/ab-web-\w+/.test(text)) node.textContent = text.replace(/\S*\/ab-web-\w+/, "/home/me");
    }
  });
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await page.screenshot({ path: join(FOLDER, `${name}-${theme}.png`) });
  }
}

test("the main screens", async ({ phone, server }) => {
  test.setTimeout(180_000);
  mkdirSync(FOLDER, { recursive: true });
  const { page } = phone;
  const folder = (name: string) => {
    const path = join(server.home, name);
    mkdirSync(path);
    return path;
  };

  await phone.start({ agent: "Demo agent", folder: folder("docs"), name: "docs" });
  await phone.isReady();
  await phone.ask("edit", "May I make this edit?");
  await take(page, "change");
  await phone.option("Yes").tap();
  await expect(phone.sheet).toBeHidden();
  await expect(phone.chat.getByText(/^Understood/)).toBeVisible();
  await phone.say("hello");
  await expect(phone.chat.getByText("You said: hello")).toBeVisible();
  await take(page, "chat");
  await phone.openMessageMenu(phone.chat.locator(".message").last());
  await phone.chat.getByRole("button", { name: "review with…" }).last().tap();
  await expect(phone.button("Send for review")).toBeVisible();
  await take(page, "review");
  await page.goBack();
  await phone.ask("plan", "Shall I carry out this plan?");
  await take(page, "plan");
  await phone.button("Lower").tap();
  await phone.goHome();

  await phone.start({ agent: "Demo agent", folder: folder("shop-api"), name: "shop-api" });
  await phone.isReady();
  await phone.ask("danger", "May I run this command?");
  await take(page, "risk");
  const upright = page.viewportSize();
  if (!upright) throw new Error("no size");
  for (const [name, width, height] of [
    ["landscape", 852, 393],
    ["desk", 1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await take(page, name);
  }
  await page.setViewportSize(upright);
  await phone.button("Lower").tap();
  await page.goto(`${page.url()}/terminal`);
  await expect(phone.screen).toBeVisible();
  await take(page, "terminal");
  await page.goto(server.origin);
  await expect(phone.card("May I run this command?")).toBeVisible();
  await take(page, "home");

  await phone.button("New session").tap();
  await expect(phone.button("Start")).toBeVisible();
  // No picture shows a path of this machine.
  await page.getByRole("textbox", { name: "Folder" }).fill("/home/me/shop-api");
  await take(page, "new-session");
  await page.goto(`${server.origin}/#/settings`);
  await expect(page.getByRole("heading", { name: "Devices" })).toBeVisible();
  await take(page, "settings");
  await page.goto(`${server.origin}/#/search/coupons`);
  await expect(page.locator("mark").first()).toBeVisible();
  await expect(page.getByText("looking…")).toHaveCount(0);
  await take(page, "search");
  await page.context().clearCookies();
  await page.goto("about:blank");
  await page.goto((await server.offer()).urls.find((url) => url.startsWith(server.origin)) ?? "");
  await expect(phone.button("Pair this device")).toBeEnabled();
  await take(page, "pairing");
});
