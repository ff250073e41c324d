/* The terminal as it is, and keys that reach it: for programs nobody has taught us to read. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "../harness/story";

test("what is typed reaches a shell", { tag: "@every-phone" }, async ({ phone, server }) => {
  const written = (name: string) => {
    const path = join(server.home, name);
    return existsSync(path) ? readFileSync(path, "utf8") : null;
  };
  await phone.start({ agent: "Any program", command: "sh" });
  // A shell has no conversation to show, so its screen takes that place.
  await expect(phone.screen).toContainText(/[$#]/);
  await phone.page.getByRole("link", { name: "Terminal" }).tap();
  const text = phone.page.getByRole("textbox", { name: "Text to type" });

  await text.fill("echo $((6 * 7)) > by-text; cat by-text");
  await phone.button("Type with Enter").tap();
  await expect.poll(() => written("by-text")).toBe("42\n");
  await expect(phone.screen.locator(".screen__line", { hasText: /^42/ })).toBeVisible();
  await expect(text).toHaveValue("");

  // Without Enter it only stands there, and Ctrl-C takes it away.
  await text.fill("echo no > by-mistake");
  await phone.button("Type").tap();
  await expect(phone.screen).toContainText("echo no > by-mistake");
  await phone.button("Ctrl-C").tap();
  await text.fill("echo yes > by-keys");
  await phone.button("Type").tap();
  await phone.button("Enter").tap();
  await expect.poll(() => written("by-keys")).toBe("yes\n");
  expect(written("by-mistake")).toBeNull();
});

test("a message goes to a shell that waits for one", async ({ phone, server }) => {
  await phone.start({ agent: "Any program", command: "sh" });
  await phone.isReady();
  await phone.say("echo hello > greeting");
  await expect.poll(() => existsSync(join(server.home, "greeting"))).toBe(true);
});

test("two fingers enlarge the screen and not the page", async ({ phone }) => {
  await phone.start({ agent: "Any program", command: "sh" });
  await expect(phone.screen).toContainText(/[$#]/);
  await phone.page.getByRole("link", { name: "Terminal" }).tap();
  // The chat shows a screen of its own until this one has taken its place.
  await expect(phone.page.getByRole("textbox", { name: "Text to type" })).toBeVisible();
  await expect(phone.screen).toContainText(/[$#]/);
  const size = () => phone.screen.evaluate((grid) => Number.parseFloat(getComputedStyle(grid).fontSize));
  const fits = await size();
  const box = await phone.page.locator(".screen").boundingBox();
  if (!box) throw new Error("no screen");
  const touch = await phone.page.context().newCDPSession(phone.page);
  const y = box.y + box.height / 2;
  const fingers = (apart: number) => [
    { x: 190 - apart, y, id: 1 },
    { x: 190 + apart, y, id: 2 },
  ];
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: fingers(30) });
  for (const apart of [40, 50, 60]) {
    await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: fingers(apart) });
  }
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await expect.poll(size).toBeCloseTo(fits * 2, 0);
  expect(await phone.page.evaluate(() => visualViewport?.scale)).toBe(1);
  // A tap on the button brings everything into view, however small; another makes it readable again.
  await phone.button("Fit all columns").tap();
  await expect.poll(size).toBeLessThan(fits);
  await phone.button("Fit all columns").tap();
  await expect.poll(size).toBeCloseTo(fits, 1);
  expect(fits).toBeGreaterThanOrEqual(11);
});
