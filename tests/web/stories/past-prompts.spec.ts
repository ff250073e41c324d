/* The history: what was asked and answered is found again, as it was shown, and counted. */
import { violationsOn } from "../harness/axe";
import { expect, test } from "../harness/story";

test(
  "what was asked is found again as it was shown, and leads back to the chat",
  { tag: "@every-phone" },
  async ({ phone }) => {
    const { page } = phone;
    await phone.startDemo();
    await phone.ask("edit", "May I make this edit?");
    await phone.option("Yes").tap();
    await expect(phone.chat.getByText("Understood: edit -> Yes")).toBeVisible();
    await phone.ask("danger", "May I run this command?");
    await phone.option("No").tap();
    await expect(phone.chat.getByText("Understood: danger -> No")).toBeVisible();

    await phone.button("Session menu").tap();
    await page.getByRole("link", { name: "History of this session" }).tap();
    const rows = page.getByRole("list", { name: "Prompts" }).getByRole("button");
    await expect(rows).toHaveCount(2);
    await expect(rows.nth(0)).toContainText("May I run this command?");
    await expect(rows.nth(0)).toContainText("refused");
    await expect(rows.nth(1)).toContainText("Yes");
    await expect(rows.nth(1)).toContainText("done");
    await expect(rows.nth(1)).toContainText("by you, here");
    await expect(rows.nth(1)).toContainText(/waited \d+s/);

    await page.getByRole("searchbox", { name: "Search the history" }).fill("edit");
    await expect(rows).toHaveCount(1);
    await rows.first().tap();
    const detail = page.locator(".history-detail");
    await expect(detail.locator(".diff").first()).toBeVisible();
    await expect(detail.getByRole("list", { name: "What could be chosen" })).toContainText("Yes (chosen)");
    const steps = detail.getByRole("list", { name: "What happened" }).getByRole("listitem");
    await expect(steps.first()).toContainText("shown");
    await expect(steps.last()).toContainText("seen to be taken by you, here: Yes");
    await expect(detail.getByRole("button", { name: "Yes" })).toHaveCount(0);
    expect(await violationsOn(page)).toEqual([]);

    await detail.getByRole("link", { name: "show it in the chat" }).tap();
    await expect(phone.chat.getByText("Understood: edit -> Yes")).toBeVisible();
    expect(page.url()).toMatch(/#\/s\/[^/]+\/m\//);
  },
);

test("the history is filtered by what came of it, and summed up", async ({ phone }) => {
  const { page } = phone;
  await phone.startDemo();
  await phone.ask("edit", "May I make this edit?");
  await phone.option("Yes").tap();
  await expect(phone.chat.getByText("Understood: edit -> Yes")).toBeVisible();
  await phone.ask("multi", "Which of these do you need?");
  await phone.tapOutside();
  await phone.goHome();

  await page.getByRole("link", { name: "Settings" }).tap();
  await page.getByRole("link", { name: "What was asked, answered and done" }).tap();
  const rows = page.getByRole("list", { name: "Prompts" }).getByRole("button");
  await expect(rows).toHaveCount(2);
  await page.getByRole("combobox", { name: "Any outcome" }).selectOption("waiting");
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText("Which of these do you need?");
  await page.getByRole("combobox", { name: "Any outcome" }).selectOption("");
  await page.getByRole("combobox", { name: "Anybody" }).selectOption("A rule");
  await expect(page.getByText("Nothing of that kind was asked.")).toBeVisible();

  // By keys as well.
  await page.getByRole("combobox", { name: "Anybody" }).selectOption("");
  await rows.first().focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".history-detail")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.locator(".history-detail")).toBeHidden();

  await page.getByRole("link", { name: "in numbers" }).tap();
  await expect(page.getByRole("img", { name: /Prompts by day; most on \d{4}-\d\d-\d\d, 2/ })).toBeVisible();
  const sessions = page.getByRole("region", { name: "By session" });
  await expect(sessions.getByRole("row").nth(1)).toContainText("2");
  expect(await violationsOn(page)).toEqual([]);
});
