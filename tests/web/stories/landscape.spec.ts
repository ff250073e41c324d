/* The phone on its side: little height, much width; what is asked, what can be answered and what was said side by side. */
import type { Locator } from "@playwright/test";
import { bottomOf, openKeyboard } from "../harness/keyboard";
import { expect, test } from "../harness/story";

/** The larger one is wider than a small window at a desk, and is no desk. */
const SIZES = [
  { name: "an iPhone", width: 852, height: 393 },
  { name: "a Pixel", width: 915, height: 412 },
];

for (const { name, ...size } of SIZES) {
  test.describe(`${name} on its side`, () => {
    test.beforeEach(async ({ phone }) => {
      await phone.page.setViewportSize(size);
      await phone.startDemo();
    });

    test("the list and the chat stand side by side", async ({ phone }) => {
      const list = phone.page.getByRole("region", { name: "Running" });
      await isLeftOf(list, phone.chat);
      await expect(phone.page.getByRole("link", { name: "Back" })).toBeHidden();
      await phone.say("hello");
      await expect(phone.chat.getByText("You said: hello")).toBeInViewport({ ratio: 1 });
    });

    test("what a command risks is read beside every option, and nothing is covered", async ({ phone }) => {
      const sheet = await phone.ask("danger", "May I run this command?");
      const risk = sheet.getByRole("list", { name: "Risk: high" });
      const seen = [
        sheet.getByRole("heading", { name: "May I run this command?" }),
        sheet.getByText("rm -rf src/legacy && git push --force origin main"),
        risk,
        ...(await sheet.locator(".option").all()),
        sheet.getByRole("link", { name: "terminal" }),
      ];
      // A fraction of a pixel may be cut off by rounding.
      for (const part of seen) await expect(part).toBeInViewport({ ratio: 0.98 });
      await isLeftOf(risk, phone.option("Yes"));
      for (const option of await sheet.locator(".option").all()) {
        expect((await option.boundingBox())?.height).toBeGreaterThanOrEqual(48);
      }
      await phone.tapOutside();
      await phone.card("May I run this command?").getByRole("button").tap();
      await phone.option("No").tap();
      await phone.understood("danger -> No");
    });

    test("a change is scrolled while its options stay", async ({ phone }) => {
      const sheet = await phone.ask("edit", "May I make this edit?");
      await sheet.getByText("coupon: Option<Coupon>,").scrollIntoViewIfNeeded();
      await expect(sheet.getByText("coupon: Option<Coupon>,")).toBeInViewport();
      await expect(phone.option("Yes")).toBeInViewport({ ratio: 0.98 });
      await phone.option("Yes").tap();
      await phone.understood("edit -> Yes");
    });

    test("however many boxes there are, Submit is in reach", async ({ phone }) => {
      await phone.ask("multi", "Which of these do you need?");
      await expect(phone.button("Submit")).toBeInViewport({ ratio: 0.98 });
      for (const label of ["Queue", "Metrics"]) await phone.checkbox(label).tap();
      await phone.button("Submit").tap();
      await phone.understood("multi -> Queue, Metrics");
    });

    test("the keyboard leaves the field, its button and the question", async ({ phone }) => {
      const { page } = phone;
      await phone.ask("command", "May I run this command?");
      await phone.option("No, and tell the agent what to do differently").tap();
      await expect(phone.answerField).toBeFocused();
      const seen = await openKeyboard(page, 0.5);
      await expect.poll(() => bottomOf(page, ".sheet textarea")).toBeLessThanOrEqual(seen);
      await expect.poll(() => bottomOf(page, ".sheet .button--primary")).toBeLessThanOrEqual(seen);
      await expect(phone.sheet.getByRole("heading", { name: "May I run this command?" })).toBeInViewport();
      await phone.answerField.fill("not now");
      await phone.button("Send answer").tap();
      await phone.understood("command -> No, and tell the agent what to do differently: not now");
    });

    test("a screen nobody can read has its keys beside it", async ({ phone }) => {
      const sheet = await phone.ask("puzzle", "This screen waits for you");
      const screen = sheet.getByRole("region", { name: "Terminal screen" });
      const dial = (value: number) => screen.locator(".screen__line", { hasText: `◐ ${value} ◑` });
      await expect(dial(3)).toBeInViewport();
      const right = sheet.getByRole("button", { name: "Right" });
      await isLeftOf(sheet.locator(".live-screen"), sheet.getByRole("group", { name: "Keys" }));
      await expect(right).toBeInViewport({ ratio: 1 });
      await right.tap();
      await expect(dial(4)).toBeInViewport();
    });

    test("the terminal has the whole width, with its keys beside it", async ({ phone }) => {
      await phone.page.getByRole("link", { name: "Terminal" }).tap();
      await expect(phone.screen).toContainText("Type a message, or help");
      await expect(phone.page.getByRole("region", { name: "Running" })).toBeHidden();
      const keys = phone.page.getByRole("group", { name: "Keys" });
      await isLeftOf(phone.page.locator(".live-screen"), keys);
      for (const key of await keys.getByRole("button").all()) {
        // The rows scroll by themselves; none of them is higher than what can be seen.
        await key.scrollIntoViewIfNeeded();
        await expect(key).toBeInViewport({ ratio: 0.98 });
      }
      await keys.getByRole("textbox").fill("hello");
      await phone.button("Type with Enter").tap();
      await expect(phone.screen).toContainText("You said: hello");
    });

    test("everything on the menu of a session is reached", async ({ phone }) => {
      await phone.button("Session menu").tap();
      await phone.button("End session").scrollIntoViewIfNeeded();
      await expect(phone.button("End session")).toBeInViewport({ ratio: 1 });
      await phone.button("End session").tap();
      await phone.secondTap(phone.button("Tap again: stop the program and end"));
      await expect(phone.page.getByText("This session is over: ended by you.")).toBeVisible();
    });
  });
}

test("whoever turns the phone keeps the answer that was begun, and the end of the screen", async ({
  phone,
}) => {
  const { page } = phone;
  const [upright, [, turned]] = [page.viewportSize(), SIZES];
  if (!upright || !turned) throw new Error("no sizes");
  await phone.startDemo();
  await phone.ask("choice", "Which database shall the shop use?");
  await phone.option("Other").tap();
  await phone.answerField.fill("Duck");
  await page.setViewportSize(turned);
  await expect(phone.answerField).toHaveValue("Duck");
  await phone.answerField.fill("DuckDB");
  await page.setViewportSize(upright);
  await phone.button("Send answer").tap();
  await phone.understood("choice -> Other: DuckDB");

  const sheet = await phone.ask("puzzle", "This screen waits for you");
  const dial = sheet.locator(".screen__line", { hasText: "◐ 3 ◑" });
  await expect(dial).toBeInViewport();
  await page.setViewportSize(turned);
  await expect(dial).toBeInViewport();
});

async function isLeftOf(one: Locator, other: Locator): Promise<void> {
  await expect(one).toBeVisible();
  await expect(other).toBeVisible();
  const [left, right] = await Promise.all([one.boundingBox(), other.boundingBox()]);
  if (!left || !right) throw new Error("not both can be seen");
  expect(left.x + left.width).toBeLessThanOrEqual(right.x + 1);
}
