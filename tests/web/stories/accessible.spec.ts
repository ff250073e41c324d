/* Everyone can use it: no fault that axe can find, in the light and in the dark. */
import type { Page } from "@playwright/test";
import { violationsOn } from "../harness/axe";
import { Phone } from "../harness/phone";
import { expect, test } from "../harness/story";

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in the ${colorScheme}`, () => {
    test.use({ colorScheme });

    test("pairing, list, chat, sheet, terminal and settings", async ({ phone, browser, server }) => {
      await isAccessible(phone.page, "empty list");
      await phone.page.goto(`${server.origin}/#/new`);
      await expect(phone.button("Start")).toBeEnabled();
      await isAccessible(phone.page, "new session");
      await phone.page.goto(`${server.origin}/#/`);
      await phone.startDemo();
      await phone.ask("edit", "May I make this edit?");
      await isAccessible(phone.page, "sheet with a diff");
      await phone.option("Yes").tap();
      await expect(phone.chat.getByText("Understood: edit -> Yes")).toBeVisible();
      await isAccessible(phone.page, "chat with a notice");
      await phone.ask("danger", "May I run this command?");
      await phone.option("Yes").tap();
      await isAccessible(phone.page, "sheet with a risk, tapped once");
      await phone.option("No").tap();
      await expect(phone.chat.getByText("Understood: danger -> No")).toBeVisible();
      await phone.openMessageMenu(phone.chat.locator(".message").last());
      await phone.chat.getByRole("button", { name: "review with…" }).first().tap();
      await expect(phone.button("Send for review")).toBeEnabled();
      await isAccessible(phone.page, "review form");
      await phone.page.getByRole("link", { name: "Back" }).tap();
      await phone.isReady();
      await phone.ask("multi", "Which of these do you need?");
      await phone.checkbox("Queue").tap();
      await isAccessible(phone.page, "sheet with check boxes");
      await phone.tapOutside();
      await isAccessible(phone.page, "chat with a prompt lowered");
      await phone.page.getByRole("link", { name: "Terminal" }).tap();
      await expect(phone.screen).toContainText("Which of these do you need?");
      await isAccessible(phone.page, "terminal");
      await phone.page.goto(`${server.origin}/#/`);
      await expect(phone.card("Which of these do you need?")).toBeVisible();
      await isAccessible(phone.page, "list with a prompt");
      await phone.page.getByRole("link", { name: "Settings" }).tap();
      await phone.button("Pair another device").tap();
      await expect(phone.page.getByRole("img", { name: "QR code for pairing" })).toBeVisible();
      await isAccessible(phone.page, "settings");
      const stranger = new Phone(await (await browser.newContext({ colorScheme })).newPage(), server);
      await stranger.page.goto(server.origin);
      await expect(stranger.page.getByRole("heading", { name: "Pair this device" })).toBeVisible();
      await isAccessible(stranger.page, "pairing");
    });
  });
}

test("suggestions, attachments, the outbox and the doctor", async ({ phone, context }) => {
  const { page } = phone;
  await phone.startDemo();
  await phone.composer.fill("/");
  await expect(page.getByRole("option").first()).toBeVisible();
  await isAccessible(page, "suggestions");
  await phone.composer.fill("look");
  await phone.button("Attach").tap();
  await isAccessible(page, "ways to attach");
  const notes = { name: "notes.md", mimeType: "text/markdown", buffer: Buffer.from("notes") };
  await page.getByRole("group", { name: "Attach" }).getByLabel("Files").setInputFiles(notes);
  await expect(page.getByRole("list", { name: "Attached files" })).toContainText("notes.md");
  await isAccessible(page, "a file attached");
  await context.setOffline(true);
  await expect(phone.status(/reconnecting|offline/)).toBeVisible();
  await phone.button("Send").tap();
  await expect(phone.status("not sent yet")).toBeVisible();
  await isAccessible(page, "a message that waits");
  await context.setOffline(false);
  await expect(phone.chat.getByText(/You said, in 2 lines/)).toBeVisible();
  await page.evaluate(() => (location.hash = "#/settings"));
  // What is asked for comes in above the button, and moves it.
  await expect(page.getByRole("region", { name: "Devices" }).getByText("this device")).toBeVisible();
  await phone.button("Check that everything is in place").tap();
  await expect(page.getByRole("list", { name: "What the doctor found" })).toBeVisible();
  await isAccessible(page, "what the doctor found");
});

test("a phone on its side", async ({ phone }) => {
  const { page } = phone;
  await page.setViewportSize({ width: 852, height: 393 });
  await phone.startDemo();
  await isAccessible(page, "list and chat");
  await phone.ask("danger", "May I run this command?");
  await isAccessible(page, "sheet in two columns");
  await phone.option("No").tap();
  await expect(phone.chat.getByText("Understood: danger -> No")).toBeVisible();
  await phone.button("Session menu").tap();
  await expect(phone.button("End session")).toBeAttached();
  await isAccessible(page, "session menu");
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Terminal" }).tap();
  await expect(phone.screen).toContainText("danger");
  await isAccessible(page, "terminal beside its keys");
});

async function isAccessible(page: Page, what: string): Promise<void> {
  // Colours are judged as they are in the end, not on the way there.
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)));
  const violations = await violationsOn(page);
  const faults = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.map(({ html }) => html),
  }));
  expect(faults, what).toEqual([]);
}
