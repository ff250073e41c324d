/* Two phones, one prompt: one answer, and the other phone says whose and what. */
import type { Browser, ElementHandle } from "@playwright/test";
import { Phone } from "../harness/phone";
import type { Server } from "../harness/server";
import { expect, test } from "../harness/story";

/** Anna with a demo session open, and Ben who looks at the same. */
async function both(browser: Browser, server: Server): Promise<{ anna: Phone; ben: Phone }> {
  const anna = await Phone.paired(await browser.newContext(), server, "Anna");
  const ben = await Phone.paired(await browser.newContext(), server, "Ben");
  await anna.startDemo();
  await ben.openSession();
  await ben.isReady();
  return { anna, ben };
}

test("one answers, the other is told by whom and what", async ({ browser, server }) => {
  const { anna, ben } = await both(browser, server);
  await anna.ask("command", "May I run this command?");
  await ben.sheetIs("May I run this command?");
  await ben.option("No").tap();
  await expect(anna.status("answered by Ben: No")).toBeVisible();
  await expect(ben.status("Demo continued: No")).toBeVisible();
  await expect(anna.sheet).toBeHidden();
  await anna.understood("command -> No");
  await expect(ben.chat.getByText("You said: anything else?")).toBeVisible();
  await expect(ben.chat.getByText(/^Understood: /)).toHaveText(["Understood: command -> No"]);
});

test("both tap at the same moment: one answer counts", async ({ browser, server }) => {
  const { anna, ben } = await both(browser, server);
  await anna.ask("command", "May I run this command?");
  await ben.sheetIs("May I run this command?");
  // Both are held first: the button that is pressed later, on a slow machine, may be gone by then.
  const buttons = await Promise.all([anna.option("Yes"), ben.option("No")].map((one) => one.elementHandle()));
  const moment = Date.now() + 1000;
  await Promise.all(buttons.map((button) => pressAt(moment, button)));
  await expect(anna.sheet).toBeHidden();
  await expect(ben.sheet).toBeHidden();
  const understood = anna.chat.getByText(/^Understood: command -> (Yes|No)$/);
  await expect(understood).toBeVisible();
  const answer = (await understood.innerText()).replace("Understood: command -> ", "");
  const [winner, loser] = answer === "Yes" ? [anna, ben] : [ben, anna];
  const name = winner === anna ? "Anna" : "Ben";
  await expect(loser.status(new RegExp(`by ${name}: ${answer}`))).toBeVisible();
  await anna.understood(`command -> ${answer}`);
});

/** Has a button pressed at a moment in the future: two taps of our own hands would never be that close. */
async function pressAt(
  moment: number,
  button: ElementHandle<HTMLElement | SVGElement> | null,
): Promise<void> {
  await button?.evaluate((element, at) => {
    setTimeout(() => (element as HTMLElement).click(), at - Date.now());
  }, moment);
}
