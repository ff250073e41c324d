/* Several sessions at once: what waits is a stack with a count, what was said unseen has a dot, what moved last is on top. */
import { Phone } from "../harness/phone";
import { expect, test } from "../harness/story";

/** Starts a session that asks at once, and waits for the sheet. */
async function startAsking(phone: Phone, name: string, word: string, title: string): Promise<void> {
  await phone.button("New session").tap();
  await phone.page.getByRole("radio", { name: "Demo agent" }).tap();
  await phone.page.getByRole("textbox", { name: "First message (optional)" }).fill(word);
  await phone.page.getByRole("textbox", { name: "Name (optional)" }).fill(name);
  await phone.button("Start").tap();
  await phone.sheetIs(title);
}

test("prompts of several sessions are a stack to turn, in the order they came", async ({ phone }) => {
  await startAsking(phone, "docs", "command", "May I run this command?");
  await phone.tapOutside();
  await phone.goHome();
  await startAsking(phone, "shop", "loop", "Keep loop detection on?");
  await expect(phone.sheet).toContainText("2 of 2 waiting prompts");
  await expect(phone.sheet.locator(".who")).toContainText("shop");
  await phone.button("Next prompt").tap();
  const first = await phone.sheetIs("May I run this command?");
  await expect(first).toContainText("1 of 2 waiting prompts");
  await expect(first.locator(".who")).toContainText("docs");
  await phone.tapOutside();

  await phone.goHome();
  await expect(phone.page.getByRole("heading", { name: "Needs you · 2" })).toBeVisible();
  const cards = phone.page.getByRole("region", { name: "Needs you" }).getByRole("article");
  await expect(cards).toContainText(["May I run this command?", "Keep loop detection on?"]);
  await expect(phone.page).toHaveTitle("(2) Answerback");
  // Answered on its card, one is over, and the other is as it was.
  await cards
    .last()
    .getByRole("button", { name: /^Keep loop detection on/ })
    .last()
    .tap();
  await expect(cards).toContainText(["May I run this command?"]);
  await expect(cards).toHaveCount(1);
  await expect(phone.page).toHaveTitle("(1) Answerback");
});

test("what was said unseen has a dot until it is looked at; what moved last is on top", async ({
  phone,
  browser,
  server,
}) => {
  for (const name of ["docs", "shop"]) {
    await phone.start({ agent: "Demo agent", name });
    await phone.isReady();
    await phone.goHome();
  }
  const rows = phone.page.getByRole("region", { name: "Running" }).getByRole("link");
  await expect(rows).toHaveText([/shop/, /docs/]);
  await expect(rows.filter({ hasText: "unread" })).toHaveCount(0);

  const other = await Phone.paired(await browser.newContext(), server, "Other phone");
  await other.page.getByRole("link", { name: /docs/ }).tap();
  // What changes what it does moves up, not whatever says a word: so it is seen at work before it ends.
  server.holdSpeechAt(50);
  await other.say("hello");
  await expect(other.chat.getByText("You said: hello")).toBeVisible();
  await expect(rows).toHaveText([/docs/, /shop/]);
  server.holdSpeechAt(100);
  await expect(rows).toHaveText([/docs.*unread/, /shop/]);
  await expect(rows.first()).toContainText("I am only a demo");

  await rows.first().tap();
  await expect(phone.chat.getByText("You said: hello")).toBeVisible();
  await phone.goHome();
  await expect(rows.filter({ hasText: "unread" })).toHaveCount(0);
});
