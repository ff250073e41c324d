/* The composer: what it offers while one writes, what goes with a message, and how it takes keys. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "../harness/story";

/** The smallest picture there is. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("commands of the agent are offered after a slash", async ({ phone }) => {
  await phone.startDemo();
  await phone.composer.fill("/");
  const commands = phone.page.getByRole("listbox", { name: "Commands" });
  await expect(commands.getByRole("option").first()).toBeVisible();
  await phone.composer.pressSequentially("comm");
  await expect(commands.getByRole("option")).toHaveText([/\/command/]);
  await commands.getByRole("option").tap();
  await expect(phone.composer).toHaveValue("/command ");
  await expect(commands).toBeHidden();
  await phone.button("Send").tap();
  await phone.sheetIs("May I run this command?");
});

test("files of the folder are offered after an @, and nothing that git ignores", async ({
  phone,
  server,
}) => {
  const shop = join(server.home, "shop");
  mkdirSync(join(shop, "src"), { recursive: true });
  mkdirSync(join(shop, "target"));
  writeFileSync(join(shop, ".gitignore"), "target/\n");
  for (const file of ["src/main.rs", "src/login.rs", "target/login.rs"]) writeFileSync(join(shop, file), "");
  await phone.start({ agent: "Demo agent", folder: shop });
  await phone.isReady();
  await phone.composer.fill("look at @log");
  const files = phone.page.getByRole("listbox", { name: "Files" });
  await expect(files.getByRole("option")).toHaveText([/login\.rs\s*src/]);
  await files.getByRole("option").tap();
  await expect(phone.composer).toHaveValue("look at @src/login.rs ");
  await phone.button("Send").tap();
  await expect(phone.chat.getByText(/You said: look at @src\/login\.rs/)).toBeVisible();
});

test("a picture goes with the message, by its path on the machine", async ({ phone, server }) => {
  await phone.startDemo();
  await phone.button("Attach").tap();
  const menu = phone.page.getByRole("group", { name: "Attach" });
  await expect(menu).toContainText("at most 10 MB each");
  const attached = phone.page.getByRole("list", { name: "Attached files" });
  await menu.getByLabel("Pictures").setInputFiles([
    { name: "../../shot.png", mimeType: "image/png", buffer: PNG },
    { name: "other.png", mimeType: "image/png", buffer: PNG },
  ]);
  await expect(attached.getByRole("img")).toHaveCount(2);
  // It is really shown, from the server.
  await expect
    .poll(() =>
      attached
        .getByRole("img")
        .first()
        .evaluate((img: HTMLImageElement) => img.naturalWidth),
    )
    .toBe(1);
  await phone.button("Remove other.png").tap();
  await expect(attached.getByRole("img")).toHaveCount(1);

  // The draft and what goes with it survive a reload.
  await phone.composer.fill("what is this?");
  await phone.page.reload();
  await expect(phone.composer).toHaveValue("what is this?");
  await expect(attached.getByRole("img", { name: "shot.png" })).toBeVisible();
  await phone.button("Send").tap();
  await expect(attached).toBeHidden();
  await expect(phone.chat.getByText(/You said, in 2 lines:/)).toBeVisible();

  const sessions = join(server.home, "data/sessions");
  const [session = ""] = readdirSync(sessions);
  const kept = readdirSync(join(sessions, session, "files"));
  expect(kept).toHaveLength(1);
  expect(readFileSync(join(sessions, session, "files", kept[0] ?? ""))).toEqual(PNG);
  await expect(phone.chat.getByText(kept[0] ?? "").first()).toBeVisible();
});

for (const way of ["pasted", "dropped"] as const) {
  test(`a picture and a file that are ${way} go with the message`, async ({ phone, server }) => {
    await phone.startDemo();
    const carried = await phone.page.evaluateHandle(
      ([png]) => {
        const bytes = Uint8Array.from(atob(png), (sign) => sign.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([bytes], "shot.png", { type: "image/png" }));
        data.items.add(new File(["a note"], "note.txt", { type: "text/plain" }));
        return data;
      },
      [PNG.toString("base64")] as const,
    );
    if (way === "dropped") {
      await phone.composer.dispatchEvent("drop", { dataTransfer: carried });
    } else {
      await phone.composer.evaluate((field, clipboardData) => {
        field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      }, carried);
    }
    const attached = phone.page.getByRole("list", { name: "Attached files" });
    await expect(attached.getByRole("img", { name: "shot.png" })).toBeVisible();
    await expect(attached).toContainText("note.txt");
    await phone.composer.fill("what are these?");
    await phone.button("Send").tap();
    await expect(phone.chat.getByText(/You said, in \d lines:/)).toBeVisible();
    const sessions = join(server.home, "data/sessions");
    const files = join(sessions, readdirSync(sessions)[0] ?? "", "files");
    const kept = readdirSync(files).map((name) => readFileSync(join(files, name)).toString("base64"));
    expect(kept.sort()).toEqual([PNG.toString("base64"), Buffer.from("a note").toString("base64")].sort());
  });
}

test("a file that is not what it says, or too large, is refused with the reason", async ({
  phone,
  server,
}) => {
  await phone.startDemo();
  await phone.composer.fill("look");
  await phone.button("Attach").tap();
  const files = phone.page.getByRole("group", { name: "Attach" }).getByLabel("Files");
  await files.setInputFiles({ name: "fake.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
  await expect(phone.alert).toContainText("its content says otherwise");
  await phone.button("Dismiss fake.png").tap();
  await phone.button("Attach").tap();
  writeFileSync(join(server.home, "big.txt"), Buffer.alloc(11 << 20, "x"));
  await files.setInputFiles(join(server.home, "big.txt"));
  await expect(phone.alert).toContainText("big.txt is too large");
  await phone.button("Dismiss big.txt").tap();
  await phone.button("Send").tap();
  await expect(phone.chat.getByText("You said: look")).toBeVisible();
});

test(
  "it grows to a third of the screen and no further; Enter makes a line on a phone",
  { tag: "@every-phone" },
  async ({ phone }) => {
    await phone.startDemo();
    await phone.composer.tap();
    await phone.composer.pressSequentially("one");
    await phone.composer.press("Enter");
    await expect(phone.composer).toHaveValue("one\n");
    const height = async () => (await phone.composer.boundingBox())?.height ?? 0;
    const screen = phone.page.viewportSize()?.height ?? 0;
    const small = await height();
    await phone.composer.fill("a line\n".repeat(6));
    await expect.poll(height).toBeGreaterThan(small);
    await phone.composer.fill("a line\n".repeat(60));
    await expect.poll(height).toBeLessThanOrEqual(Math.ceil(screen / 3) + 1);
    await expect(phone.button("Send")).toBeInViewport({ ratio: 1 });

    await phone.page.evaluate(() => (location.hash = "#/settings"));
    await phone.page.getByRole("radio", { name: "Always sends" }).tap();
    await phone.page.goBack();
    await phone.composer.fill("sent by Enter");
    await phone.composer.press("Enter");
    await expect(phone.chat.getByText("You said: sent by Enter")).toBeVisible();
  },
);

test("with the phone on its side there is still room for the chat, and stop stays under the thumb", async ({
  phone,
}) => {
  const { page } = phone;
  await phone.startDemo();
  await page.setViewportSize({ width: 852, height: 393 });
  await phone.say("busy");
  await expect(phone.chat.getByText("I work until you press Esc.")).toBeInViewport();
  await phone.composer.fill("a line\n".repeat(20));
  for (const name of ["Attach", "Stop", "Send"])
    await expect(phone.button(name)).toBeInViewport({ ratio: 1 });
  const room = await page.locator(".chat-bar").boundingBox();
  const composer = await phone.composer.boundingBox();
  if (!room || !composer) throw new Error("not both can be seen");
  expect(composer.y - (room.y + room.height), "what is left for the chat").toBeGreaterThan(100);
  await phone.composer.fill("");
  await phone.button("Stop").tap();
  await phone.isReady();
});
