/* A wide screen and a keyboard: list, chat and sheet side by side, nothing covered. */
import { expect, test } from "../harness/story";

test.describe("at the desk", { tag: "@desk" }, () => {
  test("list, chat and sheet stand side by side; digits choose and Escape lowers", async ({
    phone,
    server,
  }) => {
    const { page } = phone;
    await expect(page.getByText("Choose a session, or start one.")).toBeVisible();
    await phone.button("New session").click();
    await page.getByRole("radio", { name: "Demo agent" }).check();
    await page.getByRole("textbox", { name: "Folder" }).fill(server.home);
    await page.keyboard.press("Enter");
    await phone.isReady();
    await phone.composer.fill("command");
    await phone.composer.press("Enter");
    const sheet = await phone.sheetIs("May I run this command?");

    const list = page.getByRole("region", { name: "Needs you" });
    const boxes = await Promise.all([list, phone.chat, sheet].map((part) => part.boundingBox()));
    const [left, middle, right] = boxes;
    if (!left || !middle || !right) throw new Error("not all three can be seen");
    expect(left.x + left.width).toBeLessThanOrEqual(middle.x);
    expect(middle.x + middle.width).toBeLessThanOrEqual(right.x);
    expect(right.x + right.width).toBe(1280);
    await expect(page.getByRole("region", { name: "Needs you" })).toBeVisible();

    // The composer kept the focus: a digit there is a digit.
    await expect(phone.composer).toBeFocused();
    await page.keyboard.press("1");
    await expect(phone.composer).toHaveValue("1");
    await phone.composer.fill("");
    await sheet.getByRole("heading", { name: "May I run this command?" }).focus();
    await page.keyboard.press("Escape");
    await expect(sheet).toBeHidden();
    await expect(phone.card("May I run this command?")).toBeVisible();
    await phone.card("May I run this command?").getByRole("button").first().click();
    await expect(sheet.getByRole("heading", { name: "May I run this command?" })).toBeFocused();
    // A key that comes too soon was meant for something else; so it is pressed until it is taken.
    await expect(async () => {
      if ((await sheet.isVisible()) && (await phone.option("No").isEnabled({ timeout: 500 }))) {
        await page.keyboard.press("3");
      }
      await expect(sheet).toBeHidden({ timeout: 500 });
    }).toPass({ timeout: 30_000 });
    await expect(phone.chat.getByText("Understood: command -> No")).toBeVisible();

    await phone.composer.fill("line one");
    await phone.composer.press("Shift+Enter");
    await phone.composer.pressSequentially("line two");
    await phone.composer.press("Enter");
    await expect(phone.chat.getByText("You said, in 2 lines:")).toBeVisible();
    await expect(phone.chat.getByText(/^Understood: /)).toHaveCount(1);
  });

  test("sessions are changed with j and k, and help is a question mark away", async ({ phone, server }) => {
    const { page } = phone;
    for (const name of ["First", "Second"]) {
      await phone.button("New session").click();
      await page.getByRole("radio", { name: "Demo agent" }).check();
      await page.getByRole("textbox", { name: "Folder" }).fill(server.home);
      await page.getByRole("textbox", { name: "Name (optional)" }).fill(name);
      await phone.button("Start").click();
      await phone.isReady();
    }
    const opened = page.locator(".chat-bar").getByRole("heading");
    await expect(opened).toContainText("Second");
    // The newest is on top of the list.
    await page.locator("body").press("j");
    await expect(opened).toContainText("First");
    await page.keyboard.press("k");
    await expect(opened).toContainText("Second");
    await page.locator("body").press("?");
    await expect(page.getByRole("dialog")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  });
});
