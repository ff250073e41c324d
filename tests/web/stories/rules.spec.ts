/* Rules: remembered from an answer after their words were read, answering without the person, and stopped where they are said. */
import { expect, test } from "../harness/story";

const COMMAND = "cargo test --workspace --quiet";

test("an answer is remembered for the session, answers alone, and is stopped in the chat", async ({
  phone,
}) => {
  await phone.startDemo();
  const sheet = await phone.ask("command", "May I run this command?");
  await sheet.getByRole("button", { name: "why, and remember" }).tap();
  await expect(sheet.getByText("there are no rules yet")).toBeVisible();
  await expect(sheet.getByRole("list", { name: "Part by part" })).toContainText(COMMAND);
  await sheet.getByRole("radio", { name: "this session" }).check();
  await expect(sheet.getByText(`Allow exactly this command: ${COMMAND}`).first()).toBeVisible();
  await phone.option("Yes").tap();
  await phone.secondTap(phone.option("tap again: Yes"));
  await phone.understood("command -> Yes");

  await phone.say("command");
  const line = phone.page.getByText(/Allowed by the rule/);
  await expect(line).toContainText(COMMAND);
  await expect(phone.sheet).toBeHidden();
  await expect(phone.page.getByText("rules on")).toBeVisible();

  await phone.page.getByRole("button", { name: "stop this rule" }).tap();
  await expect(phone.page.getByText("stopped")).toBeVisible();
  await phone.ask("command", "May I run this command?");
  await phone.option("No").tap();
});
