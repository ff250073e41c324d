/* What a prompt risks, in plain words, and the second tap that a dangerous yes needs. */
import { expect, test } from "../harness/story";

test("a dangerous command says why, and yes takes two taps", { tag: "@every-phone" }, async ({ phone }) => {
  await phone.startDemo();
  const sheet = await phone.ask("danger", "May I run this command?");
  await expect(sheet.getByText("rm -rf src/legacy && git push --force origin main")).toBeVisible();
  const risk = sheet.getByRole("list", { name: "Risk: high" });
  await expect(risk).toContainText("deletes files recursively: src/legacy");
  await expect(risk).toContainText("overwrites history that others may have");

  await phone.option("Yes").tap();
  const again = phone.option("tap again: Yes");
  await expect(again).toHaveAccessibleDescription(/deletes files recursively: src\/legacy/);
  await expect(phone.status("sending")).toBeHidden();
  await phone.secondTap(again);
  await phone.understood("danger -> Yes");
});

test("no takes one tap, and the list offers no short way to yes", async ({ phone }) => {
  await phone.startDemo();
  await phone.ask("danger", "May I run this command?");
  await phone.tapOutside();
  await phone.goHome();
  const card = phone.card("May I run this command?");
  await expect(card).toContainText("deletes files recursively: src/legacy");
  await expect(card.getByRole("button")).toHaveCount(1);
  await card.getByRole("button").tap();
  await phone.option("No").tap();
  await expect(phone.status("Demo continued: No")).toBeVisible();
});

test("a harmless command has nothing to warn of", async ({ phone }) => {
  await phone.startDemo();
  const sheet = await phone.ask("command", "May I run this command?");
  await expect(sheet.getByRole("list", { name: /^Risk/ })).toHaveCount(0);
});
