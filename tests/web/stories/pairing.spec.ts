/* A new phone: from the QR code to the list, once, with one tap. */
import { Phone } from "../harness/phone";
import { expect, test } from "../harness/story";

const REFUSED = "This code is wrong, already used or over. Ask the workstation for a new one.";

test(
  "the link pairs with one tap, and only once",
  { tag: "@every-phone" },
  async ({ browser, context, server }) => {
    const { urls, code } = await server.offer();
    const link = urls.find((url) => url.startsWith(server.origin)) ?? "";
    expect(link).toContain(`#pair=${code}`);
    const phone = new Phone(await context.newPage(), server);
    await phone.page.goto(link);
    await expect(phone.page.getByRole("textbox", { name: "Pairing code" })).toHaveValue(code);
    await expect(phone.page).toHaveURL(`${server.origin}/#/`);
    expect(await phone.page.evaluate(() => history.length)).toBeLessThanOrEqual(2);
    await phone.button("Pair this device").tap();
    await phone.isLive();
    await expect(phone.page.getByRole("heading", { name: "Answerback" })).toBeVisible();
    await expect(phone.page.getByText("No sessions yet.")).toBeVisible();

    const cookies = await context.cookies();
    expect(cookies).toMatchObject([{ httpOnly: true, sameSite: "Strict", path: "/" }]);
    expect(await phone.page.evaluate(() => document.cookie)).toBe("");
    expect(JSON.stringify(await phone.page.evaluate(() => ({ ...localStorage })))).not.toContain(code);
    expect(server.log()).not.toContain(code);

    // Somebody else who got hold of the link.
    const thief = new Phone(await (await browser.newContext()).newPage(), server);
    await thief.page.goto(link);
    await thief.button("Pair this device").click();
    await expect(thief.alert).toHaveText(REFUSED);
    await expect(thief.button("Pair this device")).toBeEnabled();
    await thief.page.context().close();

    // The owner's own page knows the phone again.
    await phone.page.reload();
    await phone.isLive();
  },
);

test("a code is typed by hand", async ({ context, server }) => {
  const phone = new Phone(await context.newPage(), server);
  await phone.page.goto(server.origin);
  const field = phone.page.getByRole("textbox", { name: "Pairing code" });
  await expect(phone.button("Pair this device")).toBeDisabled();

  await field.fill("AAAA-AAAA");
  await phone.button("Pair this device").tap();
  await expect(phone.alert).toHaveText(REFUSED);
  await expect(field).toHaveValue("AAAA-AAAA");

  // As people type it: small letters, no hyphen.
  const { code } = await server.offer();
  await field.fill("");
  await field.pressSequentially(code.replace("-", "").toLowerCase());
  await expect(field).toHaveValue(code);
  await phone.page.getByRole("textbox", { name: "Device name" }).fill("Red phone");
  await phone.button("Pair this device").tap();
  await phone.isLive();
  expect(JSON.parse(await server.command("devices", "--json"))).toMatchObject([{ name: "Red phone" }]);
});
