/* One agent reviews what another said: asked, seen side by side, sent back, and still there after a restart. */
import type { Phone } from "../harness/phone";
import { expect, test } from "../harness/story";

async function askForReview(phone: Phone): Promise<void> {
  await phone.startDemo();
  await phone.say("the cart is a vector");
  const answer = phone.chat.locator(".message", { hasText: "You said: the cart is a vector" });
  await phone.openMessageMenu(answer);
  await answer.getByRole("button", { name: "review with…" }).tap();
  await expect(phone.page.getByRole("textbox", { name: "What to review" })).toHaveValue(
    /the cart is a vector/,
  );
  await phone.page.getByRole("radio", { name: "New session: Demo agent" }).tap();
  await phone.page.getByRole("textbox", { name: "What to ask" }).fill("Find one fault.");
  await phone.button("Send for review").tap();
}

test(
  "an answer is reviewed by another session and the review sent back",
  { tag: "@every-phone" },
  async ({ phone, server }) => {
    await askForReview(phone);
    // The reviewer is open, and was asked with the quote.
    await expect(phone.page.getByRole("tab", { name: /^Reviewer:/ })).toHaveAttribute(
      "aria-selected",
      "true",
    );
    await expect(phone.chat.getByText(/^You said, in \d+ lines:/)).toBeVisible();
    await expect(phone.chat.getByRole("code").filter({ hasText: "the cart is a vector" })).toBeVisible();

    await phone.button("Send the review back").tap();
    const back = phone.page.getByRole("textbox", { name: "Review to send back" });
    await expect(back).toHaveValue(/^Demo reviewed this:\n\n> You said, in/);
    await back.fill("Demo reviewed this:\n\n> use a map");
    await phone.button("Send back").tap();
    await expect(phone.page.getByRole("tab", { name: /^Reviewed:/ })).toHaveAttribute(
      "aria-selected",
      "true",
    );
    await expect(phone.chat.locator(".message--user", { hasText: "> use a map" })).toBeVisible();
    // It stands in the conversation, with the way to both.
    const card = phone.chat.getByRole("region", { name: "Review" });
    await expect(card.getByRole("link", { name: "See both" })).toBeVisible();

    await server.kill();
    await server.launch();
    await phone.page.reload();
    await phone.page.goto(`${server.origin}/#/`);
    await phone.isLive();
    await phone.page
      .getByRole("region", { name: "Running" })
      .getByRole("link")
      .filter({ hasNotText: "review of" })
      .tap();
    await phone.isReady();
    await phone.page.getByRole("button", { name: "Session menu" }).tap();
    await phone.page.getByRole("region", { name: "Reviews" }).getByRole("link").tap();
    await expect(phone.page.getByRole("tab", { name: /^Reviewer: review of/ })).toBeVisible();
  },
);

test("a change goes to a session that runs already, and both know of it", async ({ phone }) => {
  await phone.start({ agent: "Demo agent", name: "second opinion" });
  await phone.isReady();
  await phone.goHome();
  await phone.start({ agent: "Demo agent", name: "shop" });
  await phone.isReady();
  await phone.ask("edit", "May I make this edit?");
  await phone.option("Yes").tap();
  await expect(phone.chat.getByText("Understood: edit -> Yes")).toBeVisible();
  await phone.chat.getByRole("button", { name: /^Edit file .*cart\.rs/ }).tap();
  await phone.chat.locator(".tool").getByRole("button", { name: "review with…" }).tap();
  await expect(phone.page.getByRole("textbox", { name: "What to review" })).toHaveValue(
    /\+ +items: BTreeMap<ItemId, u32>,/,
  );
  await phone.page.getByRole("radio", { name: /second opinion/ }).tap();
  await phone.button("Send for review").tap();
  await expect(phone.page.getByRole("tab", { name: "Reviewer: second opinion" })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await expect(phone.chat.locator(".message--user")).toContainText("BTreeMap<ItemId, u32>");
  await phone.page.getByRole("tab", { name: "Reviewed: shop" }).tap();
  await phone.button("Session menu").tap();
  await expect(phone.page.getByRole("region", { name: "Reviews" })).toContainText("second opinion");
});

test("on a wide screen both stand side by side", async ({ phone }) => {
  await askForReview(phone);
  await phone.page.setViewportSize({ width: 1400, height: 900 });
  await expect(phone.page.getByRole("region", { name: "Reviewed session" })).toContainText(
    "the cart is a vector",
  );
  await expect(phone.page.getByRole("region", { name: "Reviewer" })).toContainText("Find one fault.");
});

test("a review is ended from its card, and the session begun for it stops", async ({ phone, server }) => {
  await askForReview(phone);
  await expect(phone.chat.getByText(/^You said, in \d+ lines:/)).toBeVisible();
  await phone.page.getByRole("tab", { name: /^Reviewed:/ }).tap();
  const card = phone.chat.getByRole("region", { name: "Review" });
  await expect(card).toContainText("done");
  await card.getByRole("button", { name: "End review" }).tap();
  await phone.secondTap(card.getByRole("button", { name: "Tap again: stop the reviewer" }));
  await expect(card).toContainText("over");
  await phone.page.goto(`${server.origin}/#/`);
  await expect(phone.page.getByRole("region", { name: "Running" }).getByRole("link")).toHaveCount(1);
});
