/* Messages that wait: for the network, for the server, for the CLI. Each goes out once, in order, or not at all. */
import type { Locator } from "@playwright/test";
import type { Phone } from "../harness/phone";
import { expect, test } from "../harness/story";

function waiting(phone: Phone): Locator {
  return phone.page.getByRole("list", { name: "Waiting messages" }).getByRole("listitem");
}

/** What the person said and the agent answered, in order. */
async function answers(phone: Phone): Promise<string[]> {
  const said = await phone.chat.getByText(/^You said: /).allTextContents();
  return said.map((text) => text.replace("You said: ", ""));
}

/** The page works without the network once its shell is kept. */
async function isInstalled(phone: Phone): Promise<void> {
  await phone.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await expect.poll(() => phone.page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
}

test("two messages typed without a network survive a reload and go out once, in order", async ({
  phone,
  context,
}) => {
  await phone.startDemo();
  await isInstalled(phone);
  await context.setOffline(true);
  await expect(phone.status(/reconnecting|offline/)).toBeVisible();
  await phone.say("from the tunnel");
  await phone.say("and a second one");
  await expect(waiting(phone)).toHaveCount(2);
  await expect(waiting(phone).first()).toContainText("not sent yet");

  await phone.page.reload();
  await expect(phone.status(/connecting|offline/).first()).toBeVisible();
  await expect(waiting(phone)).toHaveText([/from the tunnel/, /and a second one/]);

  await context.setOffline(false);
  await expect(phone.chat.getByText("You said: and a second one")).toBeVisible();
  await expect(waiting(phone)).toHaveCount(0);
  await phone.say("anything else?");
  await expect(phone.chat.getByText("You said: anything else?")).toBeVisible();
  expect(await answers(phone)).toEqual(["from the tunnel", "and a second one", "anything else?"]);
});

test("what waits can be changed or taken back", { tag: "@every-phone" }, async ({ phone, context }) => {
  await phone.startDemo();
  await context.setOffline(true);
  await expect(phone.status(/reconnecting|offline/)).toBeVisible();
  for (const text of ["wrong", "hello wrld"]) await phone.say(text);
  await phone.button("Remove wrong").tap();
  await phone.button("Edit hello wrld").tap();
  await expect(phone.composer).toHaveValue("hello wrld");
  await expect(waiting(phone)).toHaveCount(0);
  await phone.say("hello world");
  await context.setOffline(false);
  await expect(phone.chat.getByText("You said: hello world")).toBeVisible();
  expect(await answers(phone)).toEqual(["hello world"]);
});

test("what the agent has taken while it works is shown as its own, and it can still be stopped", async ({
  phone,
}) => {
  await phone.startDemo();
  await phone.say("busy");
  await expect(phone.chat.getByText("I work until you press Esc.")).toBeVisible();
  await phone.say("then this");
  await expect(waiting(phone)).toHaveText([/then this\s*queued by the CLI/]);
  await expect(waiting(phone).getByRole("button")).toHaveCount(0);
  await expect(phone.button("Stop")).toBeInViewport({ ratio: 1 });
  await phone.button("Stop").tap();
  await expect(phone.chat.getByText("You said: then this")).toBeVisible();
  await expect(waiting(phone)).toHaveCount(0);
});

test("two tabs of one phone agree, and neither takes the other's draft", async ({ phone, context }) => {
  await phone.startDemo();
  const other = await context.newPage();
  await other.goto(phone.page.url());
  const field = other.getByRole("textbox", { name: "Message" });
  await phone.composer.fill("half a thought");
  await expect(field).toHaveValue("half a thought");
  await field.fill("half a thought, and more");
  await expect(phone.composer).toHaveValue("half a thought, and more");
  await phone.button("Send").tap();
  await expect(field).toHaveValue("");
  await expect(phone.chat.getByText("You said: half a thought, and more")).toBeVisible();
  await expect(other.getByText("You said: half a thought, and more")).toHaveCount(1);
  expect(await answers(phone)).toEqual(["half a thought, and more"]);
});
