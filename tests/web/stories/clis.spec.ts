/*
 * The real CLIs, from pairing to what they did: `npm run test:clis`. What each of them asks and how is told without a browser
 * in tests/tests/live; here it is the page that must be right.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test as base } from "@playwright/test";
import { LIVE_LIMIT_MS, LiveDesk } from "../harness/live-desk";
import { Phone } from "../harness/phone";

const CLIS = [
  {
    cli: "claude",
    command: /^\/compact/,
    agent: "Claude Code",
    yes: "Yes",
    wentOn: "Claude continued: Yes",
    aside: /How is Claude doing/,
  },
  {
    cli: "codex",
    command: /^\/compact/,
    agent: "Codex",
    yes: "Yes, proceed",
    wentOn: "Codex continued: Yes, proceed",
  },
  {
    cli: "gemini",
    command: /^\/compress/,
    agent: "Gemini CLI",
    yes: "Allow once",
    wentOn: "Gemini continued: Allow once",
  },
  {
    cli: "copilot",
    command: /^\/compact/,
    agent: "Copilot CLI",
    yes: "Yes",
    wentOn: "Copilot continued: Yes",
  },
];

/** Starts a desk with a CLI; it is taken away after the story. */
const test = base.extend<{ desk: (cli: string) => Promise<LiveDesk> }>({
  // Playwright wants to see here what it needs: nothing.
  desk: async ({}, use, testInfo) => {
    const desks: LiveDesk[] = [];
    await use(async (cli) => {
      const desk = await LiveDesk.start(cli);
      desks.push(desk);
      return desk;
    });
    for (const desk of desks) {
      const seen = await desk.close();
      if (testInfo.status === testInfo.expectedStatus) continue;
      const path = testInfo.outputPath("desk.txt");
      writeFileSync(path, seen);
      await testInfo.attach("desk", { path, contentType: "text/plain" });
    }
  },
});

for (const { cli, agent, command, yes, wentOn, aside } of CLIS) {
  test(`${cli} asks before it makes a file, and makes it`, { tag: "@clis" }, async ({ desk, page }) => {
    test.setTimeout(3 * LIVE_LIMIT_MS);
    const soon = { timeout: LIVE_LIMIT_MS };
    const { pair, project } = await desk(cli);
    const made = join(project, "made");
    const phone = new Phone(page, { home: project });
    await page.goto(pair);
    await phone.button("Pair this device").tap();
    await phone.isLive();
    await phone.start({ agent });
    await phone.isReady(soon);

    // What may be left alone calls nobody, and is answered in its place.
    if (aside !== undefined) {
      const card = page.getByRole("region", { name: aside });
      await expect(card).toBeVisible(soon);
      await expect(phone.sheet).toBeHidden();
      await card.getByRole("button", { name: "Good" }).tap();
      await expect(phone.status("Claude took it: Good")).toBeVisible(soon);
      await expect(card).toBeHidden();
      await phone.isReady(soon);
    }

    // Its own commands, not those of the demo agent.
    await phone.composer.fill("/");
    const commands = page.getByRole("listbox", { name: "Commands" });
    await expect(commands.getByRole("option", { name: command })).toBeAttached();
    await phone.say("make the file");
    await expect(phone.sheet).toBeVisible(soon);
    await expect(phone.sheet.getByText("touch made && wc -c made").first()).toBeVisible();
    expect(existsSync(made), "it waits to be allowed").toBe(false);
    await phone.option(yes).tap();
    await expect(phone.status(wentOn)).toBeVisible(soon);

    // The model was sent what the command printed, and its answer is in the chat.
    await expect(phone.chat.getByText("I was told: 0 made")).toBeVisible(soon);
    expect(existsSync(made)).toBe(true);
    await expect(phone.sheet).toBeHidden();
    await phone.isReady(soon);
  });
}
