/* The choices of a new session beyond agent and folder: what is said first, and what is remembered. */
import { expect, test } from "../harness/story";

test("the first message is sent once the agent is ready, and once only", async ({ phone, server }) => {
  await phone.button("New session").tap();
  await phone.page.getByRole("radio", { name: "Demo agent" }).tap();
  await phone.page.getByRole("textbox", { name: "Folder" }).fill(server.home);
  await phone.page.getByRole("textbox", { name: "First message (optional)" }).fill("hello there");
  await phone.button("Start").tap();
  await expect(phone.chat.getByText("You said: hello there")).toBeVisible();
  await phone.isReady();
  await server.kill();
  await server.launch();
  await phone.isReady();
  await phone.say("and you?");
  await expect(phone.chat.getByText("You said: and you?")).toBeVisible();
  await expect(phone.chat.getByText("You said: hello there")).toHaveCount(1);
});

test("a first message that asks at once brings up the sheet", async ({ phone }) => {
  await phone.button("New session").tap();
  await phone.page.getByRole("radio", { name: "Demo agent" }).tap();
  await phone.page.getByRole("textbox", { name: "First message (optional)" }).fill("command");
  await phone.button("Start").tap();
  await phone.sheetIs("May I run this command?");
  await phone.option("Yes").tap();
  await phone.understood("command -> Yes");
});

test("a favourite folder is there the next time", async ({ phone, server }) => {
  await phone.button("New session").tap();
  const folder = phone.page.getByRole("textbox", { name: "Folder" });
  await folder.fill(`${server.home}/`);
  await phone.button("Favourite").tap();
  await phone.page.reload();
  await folder.fill("");
  await phone.page.locator(".folder__recent").first().tap();
  await expect(folder).toHaveValue(`${server.home}/`);
});
