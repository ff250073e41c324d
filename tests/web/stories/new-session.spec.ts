/* A session that cannot be started says why, where it was tried; one that ends at once shows its last words. */
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "../harness/story";

test("a folder that is not there", async ({ phone }) => {
  await phone.start({ agent: "Demo agent", folder: "/no/such/folder", name: "Lost" });
  await expect(phone.alert).toContainText("/no/such/folder");
  await expect(phone.page.getByRole("textbox", { name: "Folder" })).toHaveValue("/no/such/folder");
  await expect(phone.page.getByRole("textbox", { name: "Name (optional)" })).toHaveValue("Lost");
  // Put right, it starts.
  await phone.page.getByRole("textbox", { name: "Folder" }).fill("~");
  await phone.button("Start").tap();
  await phone.isReady();
  await expect(phone.page.getByRole("heading", { name: /Lost$/ })).toBeVisible();
});

test("a program that is not there", async ({ phone }) => {
  await phone.start({ agent: "Any program", command: "no-such-program --at all" });
  await expect(phone.alert).toHaveText("there is no program called no-such-program on this machine");
  await expect(phone.page.getByRole("textbox", { name: "Command" })).toHaveValue("no-such-program --at all");
  await expect(phone.page.getByRole("radio", { name: "Any program" })).toBeChecked();
  await expect(phone.button("Start")).toBeEnabled();
});

test("a program that ends at once shows its last screen", async ({ phone }) => {
  const command = `sh -c "echo these were my last words; exit 3"`;
  await phone.start({ agent: "Any program", command, name: "Brief" });
  await expect(phone.page.getByText("This session is over: ended with status 3.")).toBeVisible();
  await expect(phone.screen).toContainText("these were my last words");
  await phone.goHome();
  const row = phone.page.getByRole("region", { name: "Earlier" }).getByRole("list").getByRole("link");
  await expect(row).toContainText("Brief");
  await expect(row).toContainText("ended with status 3");
});

test("a folder is found by walking", { tag: "@every-phone" }, async ({ phone, server }) => {
  mkdirSync(join(server.home, "shop"));
  await phone.button("New session").tap();
  await phone.button("Browse").tap();
  await expect(phone.page.getByRole("textbox", { name: "Folder" })).toHaveValue(server.home);
  await phone.page
    .getByRole("list", { name: /^Folders in/ })
    .getByRole("button", { name: "shop" })
    .tap();
  await expect(phone.page.getByRole("textbox", { name: "Folder" })).toHaveValue(`${server.home}/shop`);
  await phone.page.getByRole("radio", { name: "Demo agent" }).tap();
  await phone.button("Start").tap();
  await phone.isReady();
  await expect(phone.page.getByRole("heading", { name: /shop$/ })).toBeVisible();
});

test("walking never leads out of what may be browsed, but from one allowed folder to the other", async ({
  phone,
  server,
}) => {
  // Beside the home, as a disk for projects would be.
  const home = join(server.home, "home");
  const projects = join(server.home, "projects");
  mkdirSync(join(home, ".config/answerback"), { recursive: true });
  mkdirSync(join(projects, "shop"), { recursive: true });
  writeFileSync(join(home, ".config/answerback/config.toml"), `folders = [${JSON.stringify(projects)}]\n`);
  await server.moveTo(home);
  await phone.page.reload();
  await phone.button("New session").tap();
  await phone.button("Browse").tap();
  const folders = phone.page.getByRole("list", { name: /^Folders in/ });
  await expect(folders).toBeVisible();
  await expect(folders.getByRole("button", { name: /^up to/ })).toHaveCount(0);
  await folders.getByRole("button", { name: `over to ${realpathSync(projects)}` }).tap();
  await folders.getByRole("button", { name: "shop" }).tap();
  await expect(phone.page.getByRole("textbox", { name: "Folder" })).toHaveValue(`${projects}/shop`);
  await folders.getByRole("button", { name: `up to ${projects}` }).tap();
  await expect(folders.getByRole("button", { name: /^up to/ })).toHaveCount(0);
});
