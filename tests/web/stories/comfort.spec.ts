/* For eyes, thumbs and stomachs that need it: twice the text, no motion, a keyboard that takes half the screen. */
import type { Page } from "@playwright/test";
import { join } from "node:path";
import { mkdirSync } from "node:fs";
import { bottomOf, openKeyboard } from "../harness/keyboard";
import { expect, test } from "../harness/story";

// A fraction of a pixel may be cut off by rounding, hence 0.98.
const everyPhone = { tag: "@every-phone" };

test(
  "with text of twice the size nothing overlaps, and nothing is off the screen",
  everyPhone,
  async ({ phone, server }) => {
    const { page } = phone;
    const shop = join(server.home, "a-folder-with-a-rather-long-name");
    mkdirSync(shop);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
    await page.reload();
    expect(await page.evaluate(() => parseFloat(getComputedStyle(document.body).fontSize))).toBe(32);
    await phone.isLive();
    await isTidy(page, "empty list");
    await phone.start({
      agent: "Demo agent",
      folder: shop,
      name: "the shop with a rather long name of its own",
    });
    await phone.isReady();
    await isTidy(page, "chat");
    // What does not fit below the bar is reached by scrolling.
    await phone.button("Session menu").tap();
    await isTidy(page, "session menu");
    await phone.button("End session").scrollIntoViewIfNeeded();
    await expect(phone.button("End session")).toBeInViewport({ ratio: 0.98 });
    await page.keyboard.press("Escape");
    for (const [word, title] of Object.entries({
      command: "May I run this command?",
      edit: "May I make this edit?",
      choice: "Which database shall the shop use?",
      plan: "Shall I carry out this plan?",
    })) {
      await phone.ask(word, title);
      await isTidy(page, `sheet: ${word}`);
      const last = phone.sheet.locator(".option").last();
      await last.scrollIntoViewIfNeeded();
      await expect(last).toBeInViewport({ ratio: 0.98 });
      await phone.sheet.locator(".option").first().scrollIntoViewIfNeeded();
      await phone.sheet.locator(".option").first().tap();
      await expect(phone.sheet).toBeHidden();
      await expect(phone.chat.getByText(new RegExp(`Understood: ${word} -> `))).toBeVisible();
    }
    await phone.ask("multi", "Which of these do you need?");
    await phone.checkbox("Queue").tap();
    await phone.button("Submit").scrollIntoViewIfNeeded();
    await expect(phone.button("Submit")).toBeInViewport({ ratio: 0.98 });
    await isTidy(page, "sheet: multi");
    await phone.tapOutside();
    await isTidy(page, "chat with a prompt lowered");
    await phone.goHome();
    await expect(phone.card("Which of these do you need?")).toBeVisible();
    await isTidy(page, "list");
    for (const [hash, ready] of [
      ["#/new", "Start"],
      ["#/settings", "Pair another device"],
    ] as const) {
      await page.evaluate((to) => (location.hash = to), hash);
      await expect(phone.button(ready)).toBeVisible();
      await isTidy(page, hash);
    }
  },
);

test("whoever wants no motion gets none, and the sheet settles all the same", async ({ phone }) => {
  const { page } = phone;
  await page.emulateMedia({ reducedMotion: "reduce" });
  await phone.startDemo();
  await page.evaluate(() => {
    const moved: string[] = [];
    Object.assign(globalThis, { moved });
    addEventListener("animationstart", ({ target, animationName }) => {
      const named = (animation: Animation) => (animation as CSSAnimation).animationName === animationName;
      const long = (target as Element)
        .getAnimations()
        .filter(
          (animation) => named(animation) && Number(animation.effect?.getComputedTiming().duration) > 0,
        );
      if (long.length > 0) moved.push(animationName);
    });
    addEventListener("transitionrun", ({ propertyName }) => moved.push(propertyName));
    new MutationObserver(() => {
      if (document.querySelector(".sheet__actions.settling")) Object.assign(globalThis, { settled: true });
    }).observe(document.body, { childList: true, subtree: true });
  });
  await phone.ask("command", "May I run this command?");
  await phone.option("No").tap();
  await phone.understood("command -> No");
  // What settles does not move: it only takes no taps.
  const seen = await page.evaluate(() => {
    const { moved, settled } = globalThis as { moved?: string[]; settled?: boolean };
    return { moved, settled };
  });
  expect(seen).toEqual({ moved: [], settled: true });
});

test(
  "the keyboard covers neither the field nor the button, nor what it is about",
  everyPhone,
  async ({ phone }) => {
    const { page } = phone;
    await phone.startDemo();
    await phone.ask("command", "May I run this command?");
    await phone.option("No, and tell the agent what to do differently").tap();
    await expect(phone.answerField).toBeFocused();
    const seen = await openKeyboard(page);
    await expect.poll(() => bottomOf(page, ".sheet textarea")).toBeLessThanOrEqual(seen);
    await expect.poll(() => bottomOf(page, ".sheet .button--primary")).toBeLessThanOrEqual(seen);
    await expect(phone.sheet.getByRole("heading", { name: "May I run this command?" })).toBeInViewport();
    await phone.answerField.fill("not now");
    await phone.button("Send answer").tap();
    await phone.understood("command -> No, and tell the agent what to do differently: not now");
    await expect.poll(() => bottomOf(page, ".composer textarea")).toBeLessThanOrEqual(seen);
  },
);

/** Nothing to tap lies over another, nothing sticks out at the sides, and the page does not scroll sideways. */
async function isTidy(page: Page, what: string): Promise<void> {
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)));
  const faults = await page.evaluate(() => {
    const name = (element: Element) =>
      element.getAttribute("aria-label") ?? element.textContent.trim().slice(0, 40);
    /** As much of it as its scrolling ancestors show. */
    const seen = (element: Element) => {
      const box = element.getBoundingClientRect();
      let [top, bottom] = [box.top, box.bottom];
      for (let above = element.parentElement; above; above = above.parentElement) {
        if (getComputedStyle(above).overflowY === "visible") continue;
        const frame = above.getBoundingClientRect();
        top = Math.max(top, frame.top);
        bottom = Math.min(bottom, frame.bottom);
      }
      return { left: box.left, right: box.right, top, bottom };
    };
    const found: string[] = [];
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth) found.push(`the page is ${scrollWidth} wide`);
    const all = [...document.querySelectorAll("button, a[href], input, textarea, select, h1, h2, label")];
    const shown = all.filter((element) => {
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
      const { width, height, left, top } = element.getBoundingClientRect();
      if (width < 2 || height < 2 || element.closest("[inert]")) return false;
      // What lies under something else on purpose, as under the sheet, cannot be hit.
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      return hit !== null && (element.contains(hit) || hit.contains(element));
    });
    for (const element of shown) {
      const { left, right } = element.getBoundingClientRect();
      if (left < -1 || right > innerWidth + 1) found.push(`${name(element)} sticks out: ${left} to ${right}`);
    }
    for (const [at, one] of shown.entries()) {
      for (const other of shown.slice(at + 1)) {
        if (one.contains(other) || other.contains(one)) continue;
        // The list scrolls under this one.
        if (one.matches(".fab") || other.matches(".fab")) continue;
        const [a, b] = [seen(one), seen(other)];
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (across > 2 && down > 2) found.push(`${name(one)} and ${name(other)} overlap`);
      }
    }
    return found;
  });
  expect(faults, what).toEqual([]);
}
