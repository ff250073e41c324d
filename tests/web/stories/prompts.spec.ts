/* Every kind of prompt, from pairing to what the agent understood, by touch alone. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Phone } from "../harness/phone";
import { expect, test } from "../harness/story";

test("from the link to the first answered prompt", { tag: "@every-phone" }, async ({ context, server }) => {
  const { urls } = await server.offer();
  const phone = new Phone(await context.newPage(), server);
  await phone.page.goto(urls.find((url) => url.startsWith(server.origin)) ?? "");
  await phone.button("Pair this device").tap();
  await phone.page.getByRole("link", { name: "Try the demo agent" }).tap();
  await expect(phone.page.getByRole("radio", { name: "Demo agent" })).toBeChecked();
  await phone.button("Start").tap();
  await phone.isReady();

  const sheet = await phone.ask("command", "May I run this command?");
  await expect(sheet.getByText("cargo test --workspace --quiet")).toBeVisible();
  await expect(sheet.getByText("Runs the tests of the shop before anything is changed.")).toBeVisible();
  await expect(sheet.getByRole("heading", { name: "May I run this command?" })).toBeFocused();
  await phone.option("Yes").tap();
  await expect(phone.status("Demo continued: Yes")).toBeVisible();
  await phone.understood("command -> Yes");
  // What the agent did is in the chat, folded to one line.
  await phone.page.getByRole("button", { name: /cargo test --workspace --quiet/ }).tap();
  await expect(phone.chat.getByText("test result: ok. 12 passed; 0 failed")).toBeVisible();
});

test.describe("the demo agent asks", () => {
  test.beforeEach(({ phone }) => phone.startDemo());

  test("for a command, and is allowed it for good by a second tap", async ({ phone }) => {
    const lasting = "Yes, and don't ask again for `cargo test`";
    await phone.ask("command", "May I run this command?");
    await phone.option(lasting).tap();
    // One tap of a lasting option answers nothing yet.
    await expect(phone.option(`tap again: ${lasting}`)).toBeVisible();
    await expect(phone.option("Yes")).toBeEnabled();
    await phone.secondTap(phone.option(`tap again: ${lasting}`));
    await phone.understood(`command -> ${lasting}`);
  });

  test("for a command, and is refused", async ({ phone }) => {
    await phone.ask("command", "May I run this command?");
    await phone.option("No").tap();
    await phone.understood("command -> No");
  });

  test("for a command, and is told what to do instead", async ({ phone }) => {
    const label = "No, and tell the agent what to do differently";
    const text = `run "ls -la" first; it's cheaper than $HOME`;
    await phone.ask("command", "May I run this command?");
    await phone.option(label).tap();
    await expect(phone.answerField).toBeFocused();
    await expect(phone.answerField).toBeInViewport({ ratio: 1 });
    await expect(phone.button("Send answer")).toBeDisabled();
    await phone.answerField.fill(text);
    await phone.button("Send answer").tap();
    await phone.understood(`command -> ${label}: ${text}`);
  });

  test("for an edit, with the change to look at", { tag: "@every-phone" }, async ({ phone }) => {
    const sheet = await phone.ask("edit", "May I make this edit?");
    await expect(sheet.getByText("src/cart.rs")).toBeVisible();
    await expect(sheet.getByText("items: Vec<Item>,")).toBeVisible();
    await expect(sheet.getByText("items: BTreeMap<ItemId, u32>,")).toBeVisible();
    await phone.option("Yes").tap();
    await phone.understood("edit -> Yes");
  });

  test("which of several, and takes one of them", async ({ phone }) => {
    const sheet = await phone.ask("choice", "Which database shall the shop use?");
    await expect(sheet.getByText("One file, nothing to run; enough for a small shop")).toBeVisible();
    await phone.option("PostgreSQL").tap();
    await phone.understood("choice -> PostgreSQL");
  });

  test("which of several, and takes another", async ({ phone }) => {
    await phone.ask("choice", "Which database shall the shop use?");
    await phone.option("Other").tap();
    await phone.answerField.fill("DuckDB");
    await phone.button("Send answer").tap();
    await phone.understood("choice -> Other: DuckDB");
  });

  test("which ones, and takes all that are ticked", { tag: "@every-phone" }, async ({ phone }) => {
    await phone.ask("multi", "Which of these do you need?");
    // In reach at once, however many boxes there are.
    await expect(phone.button("Submit")).toBeInViewport({ ratio: 1 });
    for (const label of ["Auth", "Queue", "Metrics"]) await phone.checkbox(label).tap();
    await phone.checkbox("Auth").tap();
    await expect(phone.checkbox("Auth")).not.toBeChecked();
    await phone.button("Submit").tap();
    await phone.understood("multi -> Queue, Metrics");
  });

  test("several questions, looked over before they are sent", { tag: "@every-phone" }, async ({ phone }) => {
    const sheet = await phone.ask("questions", "A new shop");
    await expect(sheet.getByText("1 of 3")).toBeVisible();
    await expect(phone.button("Next")).toBeDisabled();
    await phone.radio("Rust").tap();
    await phone.button("Next").tap();
    await expect(sheet.getByText("2 of 3")).toBeVisible();
    await phone.checkbox("Auth").tap();
    await phone.checkbox("Search").tap();
    await phone.button("Back").tap();
    await expect(phone.radio("Rust")).toBeChecked();
    await phone.radio("TypeScript").tap();
    await phone.button("Next").tap();
    await expect(phone.checkbox("Search")).toBeChecked();
    await phone.button("Next").tap();
    await phone.answerField.fill("corner shop");
    await phone.button("Next").tap();

    const review = sheet.getByRole("list", { name: "Your answers" });
    await expect(review.getByRole("listitem")).toContainText(["TypeScript", "Auth, Search", "corner shop"]);
    await phone.button("Change: Name").tap();
    await phone.answerField.fill("corner shop & sons");
    await phone.button("Next").tap();
    await phone.button("Submit answers").tap();
    await phone.understood(
      "questions -> Language=TypeScript; Features=Auth, Search; Name=corner shop & sons",
    );
  });

  test("whether to carry out a plan, and does", async ({ phone }) => {
    const sheet = await phone.ask("plan", "Shall I carry out this plan?");
    await expect(sheet.getByRole("heading", { name: "Add a cart" })).toBeVisible();
    await expect(
      sheet.getByRole("listitem").filter({ hasText: "Store it in the session cookie" }),
    ).toBeVisible();
    await expect(sheet.locator("code", { hasText: "src/cart.rs" })).toBeVisible();
    await phone.option("Yes, carry it out").tap();
    await phone.understood("plan -> Yes, carry it out");
  });

  test("whether to carry out a plan, and is told what to change", async ({ phone }) => {
    const label = "No, and tell the agent what to change";
    await phone.ask("plan", "Shall I carry out this plan?");
    await phone.option(label).tap();
    await phone.answerField.fill("no cookies please");
    await phone.button("Send answer").tap();
    await phone.understood(`plan -> ${label}: no cookies please`);
  });

  test("whether it goes round in circles", async ({ phone }) => {
    const sheet = await phone.ask("loop", "Keep loop detection on?");
    await expect(sheet.getByText(/The same file was read seven times/)).toBeVisible();
    await phone.option("Disable it for this session").tap();
    await phone.understood("loop -> Disable it for this session");
  });

  test("yes or no on a plain line", async ({ phone }) => {
    await phone.ask("yesno", "Continue?");
    await phone.option("Yes").tap();
    await phone.understood("yesno -> yes");
  });

  test("for a password, which nobody else gets to see", async ({ phone, server }) => {
    const secret = "hunter2-c4n4ry";
    await phone.ask("password", "Password");
    await expect(phone.answerField).toHaveAttribute("type", "password");
    await expect(phone.answerField).toHaveAttribute("autocomplete", "off");
    await phone.answerField.fill(secret);
    await phone.button("Send answer").tap();
    await phone.understood("password -> 14 characters");

    const { page } = phone;
    expect(await page.content()).not.toContain(secret);
    const fields = await page
      .locator("input, textarea")
      .evaluateAll((all) => all.map((field) => (field as HTMLInputElement).value));
    expect(fields.join()).not.toContain(secret);
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]),
    );
    expect(kept).not.toContain(secret);
    expect(JSON.stringify(phone.told)).not.toContain(secret);
    expect(server.log()).not.toContain(secret);
    for (const file of readdirSync(server.home, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const path = join(file.parentPath, file.name);
      expect(readFileSync(path).includes(secret), path).toBe(false);
    }
  });

  test("something that nobody can read: the screen and keys", { tag: "@every-phone" }, async ({ phone }) => {
    const sheet = await phone.ask("puzzle", "This screen waits for you");
    const screen = sheet.getByRole("region", { name: "Terminal screen" });
    await expect(screen.getByText(/Turn the dial to 5/)).toBeVisible();
    const dial = (value: number) => screen.locator(".screen__line", { hasText: `◐ ${value} ◑` });
    await expect(dial(3)).toBeInViewport();
    await sheet.getByRole("button", { name: "Right", exact: true }).tap();
    await expect(dial(4)).toBeInViewport();
    await sheet.getByRole("button", { name: "Up", exact: true }).tap();
    await expect(dial(5)).toBeInViewport();
    await sheet.getByRole("textbox", { name: "Text to type" }).fill("=");
    await sheet.getByRole("button", { name: "Type", exact: true }).tap();
    await expect(phone.status("answered at the desk or withdrawn")).toBeVisible();
    await phone.understood("puzzle -> 5");
  });
});

/** Asks in a usual form, hears nothing until a file is there, and writes down the first key it then hears. */
const DEAF = `printf "Continue? [y/n] "
until [ -e awake ]; do read -rsn 1 -t 0.1; done
touch listening
read -rsn 1 heard
printf "%s" "$heard" > heard
printf "\\nthanks\\n"
read -r _
`;

test("an answer without effect says why, and is given again by one tap", async ({ phone, server }) => {
  const file = (name: string) => join(server.home, name);
  writeFileSync(file("deaf.sh"), DEAF);
  await phone.start({ agent: "Any program", command: "bash deaf.sh" });
  const sheet = await phone.sheetIs("Continue?");
  await phone.option("Yes").tap();
  await expect(
    phone.status("still asking: typed, but the prompt is still there"),
    "nothing is done until it is seen",
  ).toBeVisible({ timeout: 30_000 });
  await expect(phone.option("No")).toBeEnabled();
  await sheet.getByRole("link", { name: "open terminal" }).tap();
  // Not under the sheet.
  await expect(phone.sheet).toBeHidden();
  await expect(phone.screen).toContainText("Continue?");
  await phone.page.getByRole("button", { name: /^1 waiting/ }).tap();

  writeFileSync(file("awake"), "");
  await expect.poll(() => existsSync(file("listening"))).toBe(true);
  await sheet.getByRole("button", { name: "try again" }).tap();
  await expect.poll(() => existsSync(file("heard")) && readFileSync(file("heard"), "utf8")).toBe("y");
  await expect(phone.sheet).toBeHidden();
});
