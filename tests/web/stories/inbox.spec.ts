/* The list: what waits is on top, plain things are answered right there, and looking never answers. */
import { expect, test } from "../harness/story";

test.beforeEach(async ({ phone }) => {
  await phone.startDemo();
  await phone.goHome();
});

test("a plain prompt is answered on its card", { tag: "@every-phone" }, async ({ phone, server }) => {
  await server.pressAtDesk("loop", "Enter");
  const card = phone.card("Keep loop detection on?");
  await expect(card).toBeVisible();
  await expect(phone.page.getByRole("heading", { name: "Needs you · 1" })).toBeVisible();
  // The list is not taken from under the thumb.
  await expect(phone.sheet).toBeHidden();
  await card.getByRole("button", { name: "Disable it for this session" }).tap();
  await expect(phone.status("Demo continued: Disable it for this session")).toBeVisible();
  await expect(card).toBeHidden();
  await phone.openSession();
  await phone.understood("loop -> Disable it for this session");
});

test("a prompt with more to it opens the sheet", async ({ phone, server }) => {
  await server.pressAtDesk("edit", "Enter");
  const card = phone.card("May I make this edit?");
  await expect(card.getByText("src/cart.rs")).toBeVisible();
  await expect(card.getByRole("button", { name: "Yes" })).toBeHidden();
  await card.getByRole("button", { name: "May I make this edit?" }).tap();
  await phone.sheetIs("May I make this edit?");
  await phone.option("Yes").tap();
  await expect(card).toBeHidden();
  await phone.openSession();
  await phone.understood("edit -> Yes");
});

test("lowering the sheet answers nothing and loses nothing", async ({ phone, server }) => {
  await server.pressAtDesk("loop", "Enter");
  const card = phone.card("Keep loop detection on?");
  await card.getByRole("button", { name: "more" }).tap();
  await phone.sheetIs("Keep loop detection on?");
  await phone.tapOutside();
  await expect(card).toBeVisible();

  // Lowered by the person, it does not rise by itself; the bar at the bottom brings it back.
  await phone.openSession();
  const peek = phone.page.getByRole("button", { name: /^1 waiting/ });
  await expect(peek).toBeVisible();
  await expect(phone.sheet).toBeHidden();
  await peek.tap();
  await phone.sheetIs("Keep loop detection on?");
  await phone.button("Lower").tap();
  await expect(phone.sheet).toBeHidden();
  await expect(phone.page.locator(".chat-bar").getByText("waiting", { exact: true })).toBeVisible();

  await peek.tap();
  await phone.option("Keep loop detection on").tap();
  await phone.understood("loop -> Keep loop detection on");
  await expect(peek).toBeHidden();
});

test("what was half typed is still there when the sheet comes back", async ({ phone }) => {
  await phone.openSession();
  await phone.ask("choice", "Which database shall the shop use?");
  await phone.option("Other").tap();
  await phone.answerField.fill("Duck");
  await phone.tapOutside();
  await phone.page.getByRole("button", { name: /^1 waiting/ }).tap();
  await expect(phone.answerField).toHaveValue("Duck");
  await phone.answerField.fill("DuckDB");
  await phone.button("Send answer").tap();
  await phone.understood("choice -> Other: DuckDB");
});

test("what is answered at the desk is over on the phone", async ({ phone, server }) => {
  await server.pressAtDesk("command", "Enter");
  const card = phone.card("May I run this command?");
  await expect(card).toBeVisible();
  await server.pressAtDesk("Enter");
  await expect(phone.status("answered at the desk or withdrawn")).toBeVisible();
  await expect(card).toBeHidden();
  await phone.openSession();
  await phone.understood("command -> Yes");
});
