/* Everything a thumb lands on is at least 48 px in both directions, and answers over all of it. */
import type { Page } from "@playwright/test";
import { aPermission, aSession, ScriptedLine } from "../harness/scripted";
import { expect, test } from "../harness/story";

const LEAST_PX = 48;

/**
 * The controls that are smaller than a thumb, each with what was measured. A control may be drawn smaller than it is: what counts is
 * where it takes a tap. Links within a sentence are as high as its lines.
 */
function tooSmall(page: Page, within = "body"): Promise<string[]> {
  return page.evaluate(
    ([least, within]) => {
      const controls = document
        .querySelector(within)
        ?.querySelectorAll<HTMLElement>(
          "a[href], button, select, textarea, input:not([type=hidden], [type=file]), label.choice, [role=tab]",
        );
      const faults: string[] = [];
      for (const control of controls ?? []) {
        // What a label surrounds is tapped through it.
        const target = control.closest<HTMLElement>("label") ?? control;
        const style = getComputedStyle(target);
        if (
          style.display === "inline" ||
          !target.checkVisibility({ visibilityProperty: true, opacityProperty: true })
        )
          continue;
        target.scrollIntoView({ block: "center", inline: "center" });
        const { left, top, width, height } = target.getBoundingClientRect();
        const outside = getComputedStyle(target, "::before");
        const extra = (from: "top" | "left", to: "bottom" | "right") =>
          outside.position === "absolute" ? -(parseFloat(outside[from]) + parseFloat(outside[to])) || 0 : 0;
        const size = [width + extra("left", "right"), height + extra("top", "bottom")];
        const name = control.getAttribute("aria-label") ?? target.textContent.trim().slice(0, 40);
        // Half a pixel is lost by rounding.
        if (size.some((length) => length < least - 0.5)) {
          faults.push(
            `${control.tagName} ${control.className} “${name}”: ${size.map(Math.round).join(" × ")}`,
          );
          continue;
        }
        const hit = document.elementFromPoint(left + width / 2, top + height / 2);
        const reached = hit && (target.contains(hit) || hit.contains(target));
        if (!reached && !control.matches(":disabled") && !target.closest("[inert]")) {
          faults.push(`${control.tagName} “${name}” is covered by ${hit?.className ?? "nothing"}`);
        }
      }
      return faults;
    },
    [LEAST_PX, within] as const,
  );
}

test("every target is as large as a thumb", { tag: "@every-phone" }, async ({ context, server }) => {
  const second = aSession({
    id: "11111111-1111-4111-8111-000000000002",
    name: "infra",
    state: { type: "ready" },
  });
  const over = aSession({
    id: "11111111-1111-4111-8111-000000000003",
    name: "docs",
    state: { type: "ended", reason: { type: "exited", status: 0 } },
  });
  const line = await ScriptedLine.open(context, server, { sessions: [aSession(), second, over] });
  const { phone } = line;
  const { page } = phone;
  const all: Record<string, string[]> = {};
  const settled = () => expect(page.locator(".settling")).toHaveCount(0);

  const prompt = aPermission();
  line.ask(prompt);
  await expect(phone.card(prompt.title)).toBeVisible();
  await settled();
  all.list = await tooSmall(page);
  await phone.card(prompt.title).getByRole("button").first().tap();
  await settled();
  all.sheet = await tooSmall(page);
  line.ask({ ...prompt, options: undefined as never, textInput: {}, digest: "text" });
  await expect(phone.answerField).toBeVisible();
  await settled();
  all.field = await tooSmall(page);
  await phone.button("Lower").tap();

  await page.goto(`${server.origin}/#/s/${second.id}`);
  await expect(phone.composer).toBeVisible();
  all.chat = await tooSmall(page);
  await phone.button("Session menu").tap();
  await expect(page.getByRole("button", { name: "End session" })).toBeVisible();
  // The rest of the page lies under its scrim.
  all.menu = await tooSmall(page, ".panel");
  await page.goto(`${server.origin}/#/s/${over.id}`);
  await expect(phone.button("Start again")).toBeVisible();
  all.ended = await tooSmall(page);
  await page.goto(`${server.origin}/#/s/${second.id}/terminal`);
  await expect(phone.button("Esc")).toBeVisible();
  await settled();
  all.terminal = await tooSmall(page);
  await page.goto(`${server.origin}/#/new`);
  await expect(phone.button("Start")).toBeVisible();
  all["new session"] = await tooSmall(page);
  await page.goto(`${server.origin}/#/settings`);
  await expect(page.getByRole("group", { name: "Theme" })).toBeVisible();
  all.settings = await tooSmall(page);
  expect(Object.fromEntries(Object.entries(all).filter(([, faults]) => faults.length > 0))).toEqual({});
});
