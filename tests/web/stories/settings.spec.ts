/* Settings: how the page looks, what new sessions begin with, and what the machine says of itself. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "../harness/story";

test("theme and text size are taken at once and kept", { tag: "@every-phone" }, async ({ phone }) => {
  const { page } = phone;
  await page.getByRole("link", { name: "Settings" }).tap();
  const size = () => page.evaluate(() => parseFloat(getComputedStyle(document.documentElement).fontSize));
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  const before = await size();
  await page.getByRole("radio", { name: "Large" }).tap();
  await page.getByRole("radio", { name: "Dark" }).tap();
  expect(await size()).toBeGreaterThan(before);
  expect(await scheme()).toBe("dark");
  await page.reload();
  await expect(page.getByRole("radio", { name: "Large" })).toBeChecked();
  expect(await size()).toBeGreaterThan(before);
  expect(await scheme()).toBe("dark");
});

test("the doctor says what is in place, and this device is on the list", async ({ phone }) => {
  const { page } = phone;
  await page.getByRole("link", { name: "Settings" }).tap();
  const devices = page.getByRole("region", { name: "Devices" });
  await expect(devices.getByText("this device", { exact: true })).toBeVisible();
  await phone.button("Check that everything is in place").tap();
  const found = page.getByRole("list", { name: "What the doctor found" });
  await expect(found.getByRole("listitem").filter({ hasText: "tmux" })).toContainText("ok");
  await expect(found.getByRole("listitem").filter({ hasText: "data folder" })).toContainText("ok");
  await expect(page.getByRole("region", { name: "About" })).toContainText(/Server \d+\.\d+/);
});

test.describe("with a CLI installed", () => {
  test("a new session begins with what was chosen for its agent", async ({ phone, server }) => {
    const { page } = phone;
    const shop = join(server.home, "shop");
    mkdirSync(shop);
    mkdirSync(join(server.home, "bin"), { recursive: true });
    writeFileSync(join(server.home, "bin/claude"), "#!/bin/sh\nexec sleep 600\n");
    chmodSync(join(server.home, "bin/claude"), 0o755);
    // What is installed is looked up when the server starts.
    await server.stop();
    await server.launch();
    await phone.isLive();
    await page.getByRole("link", { name: "Settings" }).tap();
    await page.getByRole("combobox", { name: "Permissions of Claude" }).selectOption("Plan only");
    await page.getByRole("textbox", { name: "Folder of Claude" }).fill(shop);
    await page.getByRole("link", { name: "Back" }).tap();
    await phone.button("New session").tap();
    await page.getByRole("radio", { name: /Claude/ }).tap();
    await expect(page.getByRole("textbox", { name: "Folder" })).toHaveValue(shop);
    await expect(page.getByRole("radio", { name: "Plan only" })).toBeChecked();
  });
});
