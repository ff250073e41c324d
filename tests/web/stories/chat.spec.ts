/* The chat: what is written is never lost and never answers a dialog; what streams in never jumps. */
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/story";

test("a message never answers a dialog, and stays in the composer", async ({ phone, server }) => {
  await phone.startDemo();
  await phone.ask("command", "May I run this command?");
  await phone.tapOutside();
  await phone.composer.fill("yes please");
  await phone.button("Send").tap();
  await expect(phone.alert).toContainText(/answer/);
  await expect(phone.composer).toHaveValue("yes please");
  expect(await server.screens()).not.toContain("yes please");

  // Not even a reload takes the words away.
  await phone.page.reload();
  await phone.sheetIs("May I run this command?");
  await phone.tapOutside();
  await expect(phone.composer).toHaveValue("yes please");
  await phone.button("Send").tap();
  await phone.button("Open the prompt").tap();
  await phone.sheetIs("May I run this command?");
  await phone.option("No").tap();
  await expect(phone.chat.getByText("Understood: command -> No")).toBeVisible();
  await expect(phone.composer).toHaveValue("yes please");
  await phone.button("Send").tap();
  await expect(phone.chat.getByText("You said: yes please")).toBeVisible();
  await expect(phone.chat.getByText(/^Understood: /)).toHaveCount(1);
});

test("work is stopped", { tag: "@every-phone" }, async ({ phone }) => {
  await phone.startDemo();
  await phone.say("busy");
  await expect(phone.chat.getByText("I work until you press Esc.")).toBeVisible();
  await phone.button("Stop").tap();
  await phone.isReady();
  await expect(phone.button("Stop")).toBeHidden();
  await phone.say("hello again");
  await expect(phone.chat.getByText("You said: hello again")).toBeVisible();
});

test("a session is renamed, and ended by a second tap", async ({ phone, server }) => {
  await phone.startDemo();
  await phone.button("Session menu").tap();
  const menu = phone.page.getByRole("dialog", { name: "Session" });
  await menu.getByRole("textbox", { name: "Session name" }).fill("Shop");
  await menu.getByRole("button", { name: "Rename" }).tap();
  await expect(phone.page.getByRole("heading", { name: /Shop$/ })).toBeVisible();
  await phone.button("Session menu").tap();
  await menu.getByRole("button", { name: "End session" }).tap();
  await phone.secondTap(menu.getByRole("button", { name: "Tap again: stop the program and end" }));
  await expect(phone.page.getByText("This session is over: ended by you.")).toBeVisible();
  await expect
    .poll(async () => (await server.tmux("list-sessions", "-F", "#{session_name}")).trim())
    .toBe("hub");
  await phone.goHome();
  await expect(phone.page.getByRole("region", { name: "Earlier" }).getByText("Shop")).toBeVisible();
});

test.describe("while a long text streams in", () => {
  test("the end stays in view", async ({ phone, server }) => {
    const items = phone.chat.getByRole("listitem");
    await phone.startDemo();
    await watchTheEnd(phone.page);
    server.holdSpeechAt(10);
    await phone.say("long");
    for (let percent = 10; percent < 100; percent += 10) {
      server.holdSpeechAt(percent);
      await expect(items.nth(2 * percent - 10)).toBeAttached();
      await expect(phone.streaming).toBeVisible();
    }
    server.holdSpeechAt(100);
    await expect(items).toHaveCount(200);
    await expect(phone.streaming).toBeHidden();
    await expect(items.last()).toBeInViewport({ ratio: 1 });
    await expect(phone.page.getByRole("button", { name: "latest" })).toBeHidden();
    const gaps = await phone.page.evaluate(() => (globalThis as Watched).gaps ?? []);
    expect(gaps.length, "it came in pieces").toBeGreaterThan(5);
    expect(Math.max(...gaps), "pixels between what is seen and the end").toBeLessThan(2);
  });

  test("whoever scrolls up reads on in peace", async ({ phone, server }) => {
    const items = phone.chat.getByRole("listitem");
    await phone.startDemo();
    server.holdSpeechAt(50);
    await phone.say("long");
    await expect(items.nth(90)).toBeAttached();
    await pullDown(phone.page);
    const latest = phone.page.getByRole("button", { name: "latest" });
    await expect(latest).toBeVisible();
    const before = await restingPlace(phone.page);
    expect(before.count, "it is still coming in").toBeLessThan(200);
    server.holdSpeechAt(100);
    await expect(items).toHaveCount(200);
    await expect(phone.streaming).toBeHidden();
    const after = await restingPlace(phone.page);
    expect(after.count).toBe(200);
    // Scrolling goes by whole dots of the screen.
    expect(Math.abs(after.top - before.top), "pixels it has moved").toBeLessThan(1);
    await latest.tap();
    await expect(items.last()).toBeInViewport();
    await expect(latest).toBeHidden();
  });
});

type Watched = typeof globalThis & { gaps?: number[] };

/**
 * Notes after every growth of the conversation how far its end is below what is seen. The page's own observer was there
 * first and is called first; so this is what gets painted.
 */
async function watchTheEnd(page: Page): Promise<void> {
  await page.getByRole("log").evaluate((content) => {
    const gaps: number[] = [];
    const box = content.parentElement;
    if (!box) throw new Error("nothing scrolls");
    // The box counts from its end.
    new ResizeObserver(() => gaps.push(-box.scrollTop)).observe(content);
    (globalThis as Watched).gaps = gaps;
  });
}

/** Where the tenth line stands once nothing moves any more, and how many lines there are. */
function restingPlace(page: Page): Promise<{ top: number; count: number }> {
  return page.getByRole("log").evaluate(async (content) => {
    const lines = content.getElementsByTagName("li");
    const top = () => lines[10]?.getBoundingClientRect().top ?? Number.NaN;
    // A finger leaves a little momentum behind: it is over when twelve frames look the same.
    for (let last = top(), same = 0; same < 12;) {
      await new Promise(requestAnimationFrame);
      // Scrolling goes by whole dots of the screen, so a line may be put back to within one of them.
      same = Math.abs(top() - last) < 1 ? same + 1 : 0;
      last = top();
    }
    return { top: top(), count: lines.length };
  });
}

/** A finger that slowly pulls the conversation down, to see what is above. */
async function pullDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...touchPoints: { x: number; y: number }[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", { x: 200, y: 150 });
  for (let y = 160; y <= 500; y += 10) await touch("touchMove", { x: 200, y });
  await touch("touchEnd");
}
