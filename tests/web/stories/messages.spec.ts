/* What a conversation looks like: markdown, code, tools, agents, pictures; found again later, and gone on with. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { violationsOn } from "../harness/axe";
import {
  answered,
  came,
  failed,
  installClaude,
  keepConversation,
  said,
  used,
  type Line,
} from "../harness/kept";
import type { Phone } from "../harness/phone";
import { expect, test } from "../harness/story";

const ID = "22222222-2222-4333-8444-555555555555";
const ICON = resolve(import.meta.dirname, "../../../web/public/icon-192.png");
const WORD = "Donaudampfschifffahrtsgesellschaftskapitänsmützenband".repeat(8);

const TABLE = `| file | lines | what it is for |
|---|---|---|
| \`src/login.rs\` | 214 | takes the name and the password, and asks the store whether both are known |
| \`src/store.rs\` | 98 | keeps them |`;

function picture(): Line {
  const source = { type: "base64", media_type: "image/png", data: readFileSync(ICON).toString("base64") };
  return { type: "image", source };
}

/** One of everything. */
function* everything(): Generator<Line> {
  yield said("u1", "Please have a look at the login");
  yield {
    ...said("u2", ""),
    message: { role: "user", content: [{ type: "text", text: "It looks so" }, picture()] },
  };
  yield answered("a1", { type: "thinking", thinking: "The person wants the login looked at." });
  yield answered(
    "a2",
    `## What I found\n\nTwo files matter:\n\n${TABLE}\n\n1. Run it:\n\n   \`\`\`sh\n   cargo test --all\n   \`\`\`\n2. Read it.`,
  );
  yield answered(
    "a3",
    `\`\`\`rust\n/// Says who it is.\npub fn login(name: &str) -> Result<User, Refused> { find(name, "${"x".repeat(120)}") }\n\`\`\``,
  );
  yield answered("a4", used("t1", "Bash", { command: "cargo test --all", description: "Run the tests" }));
  yield failed("r1", "t1", "Exit code 101\ntest login ... FAILED");
  yield answered("a5", used("t2", "Grep", { pattern: "fn login", path: "src" }));
  yield came("r2", "t2", "src/login.rs:12");
  yield answered("a6", used("t3", "WebFetch", { url: "https://example.org/login" }));
  yield came("r3", "t3", "A page about logins");
  yield answered(
    "a7",
    used("t4", "TodoWrite", { todos: [{ content: "Fix the login", status: "in_progress" }] }),
  );
  yield came("r4", "t4", "ok");
  yield answered(
    "a8",
    used("t5", "Agent", { subagent_type: "Explore", description: "Look around", prompt: "Look around" }),
  );
  yield came("r5", "t5", "It is in src", { agentId: "x1" });
  yield { ...answered("s1", "I look around now."), isSidechain: true, agentId: "x1" };
  yield {
    ...answered("s2", used("t6", "Read", { file_path: "/srv/login.rs" })),
    isSidechain: true,
    agentId: "x1",
  };
  yield answered("a9", used("t7", "Read", { file_path: "shot.png" }));
  yield came("r7", "t7", [picture()]);
  yield answered("a10", `מה שלומך? הכול בסדר.\n\nعربي أيضا`);
  yield answered("a11", `A very long word: ${WORD}`);
  yield answered("a12", used("t8", "ExitPlanMode", { plan: "# The plan\n\n1. Fix it" }));
  yield came("r8", "t8", "ok");
  yield said("u3", WORD);
}

async function openEverything(phone: Phone): Promise<void> {
  await phone.page.reload();
  await phone.page.getByRole("link", { name: "Search and earlier" }).tap();
  await phone.page.getByRole("searchbox").fill("please login");
  await phone.page.getByRole("button", { name: /Please have a look at the login/ }).tap();
  await expect(phone.chat.locator("[data-row=u3]")).toBeInViewport();
}

/** Brings a line into view as a thumb would, page by page. */
async function scrollTo(phone: Phone, key: string): Promise<void> {
  const line = phone.chat.locator(`[data-row="${key}"]`);
  await expect(async () => {
    if (await line.isVisible()) await line.scrollIntoViewIfNeeded();
    else await phone.chat.evaluate((log) => log.parentElement?.scrollBy(0, -300));
    await expect(line).toBeInViewport({ timeout: 200 });
  }).toPass();
}

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in the ${colorScheme}`, () => {
    test.use({ colorScheme });

    test("each kind of message is shown as what it is", async ({ phone, server }, testInfo) => {
      keepConversation(server, ID, everything());
      await installClaude(server);
      await openEverything(phone);
      const { chat, page } = phone;
      const shot = (name: string) => page.screenshot({ path: testInfo.outputPath(`${name}.png`) });
      await shot("end");

      await scrollTo(phone, "t7");
      await chat.getByRole("button", { name: /^Read shot\.png/ }).tap();
      const small = chat.getByRole("button", { name: "Show picture 1" }).last();
      // The card opens downwards, perhaps out of view, and a picture is fetched when it comes near.
      await small.scrollIntoViewIfNeeded();
      await expect
        .poll(() => small.locator("img").evaluate((img: HTMLImageElement) => img.naturalWidth))
        .toBe(192);

      await scrollTo(phone, "t5");
      const agent = chat.getByRole("button", { name: /Explore · 2 steps/ });
      await expect(agent).toHaveAttribute("aria-expanded", "false");
      await expect(chat.getByText("I look around now.")).toBeHidden();
      await agent.tap();
      await expect(chat.getByText("I look around now.")).toBeVisible();
      await shot("agent");

      await scrollTo(phone, "t1");
      await expect(chat.getByText("exit 101")).toBeVisible();
      await chat.getByRole("button", { name: /cargo test --all/ }).tap();
      await expect(chat.getByText("test login ... FAILED")).toBeVisible();
      await shot("tools");

      await scrollTo(phone, "a3");
      const code = chat.locator("[data-row=a3] [data-code=rust]");
      await expect(code.locator(".hljs-keyword").first()).toHaveText("pub");
      await expect(code.locator("pre")).toHaveAttribute("tabindex", "0");
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.origin });
      await code.getByRole("button", { name: "Copy the code" }).tap();
      await expect(code.getByRole("button", { name: "Copied" })).toBeVisible();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("pub fn login(name: &str)");
      await shot("code");

      await scrollTo(phone, "a2");
      await expect(chat.getByRole("table")).toContainText("takes the name");
      await shot("prose");
      const violations = await violationsOn(page);
      expect(violations.filter(({ impact }) => impact === "serious" || impact === "critical")).toEqual([]);

      await scrollTo(phone, "a1");
      await chat.getByRole("button", { name: /thinking/ }).tap();
      await expect(chat.getByText("The person wants the login looked at.")).toBeVisible();
      await shot("start");

      // With twice the text, and with words that no line has room for, nothing sticks out.
      await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
      for (const key of ["a2", "a10", "a11", "u3"]) {
        await phone.chat.evaluate((log) => log.parentElement?.scrollTo(0, 0));
        await scrollTo(phone, key);
        const over = await chat.evaluate((log) => {
          const box = log.parentElement ?? log;
          return box.scrollWidth - box.clientWidth;
        });
        expect(over, `pixels that stick out at ${key}`).toBeLessThanOrEqual(0);
      }
      await expect(chat.locator("[data-row=a10] [dir=auto]").first()).toHaveCSS("direction", "rtl");
      await shot("large");
    });
  });
}

test("everything said in any session is found from home, and the tap leads there", async ({
  phone,
  server,
}) => {
  keepConversation(server, ID, everything());
  await installClaude(server);
  await openEverything(phone);
  await phone.page.goto(`${server.origin}/#/`);
  await phone.start({ agent: "Demo agent", name: "Other" });
  await phone.isReady();
  await phone.say("the login is somewhere else");
  await expect(phone.chat.getByText("You said: the login is somewhere else")).toBeVisible();
  await phone.goHome();
  await phone.page.getByRole("link", { name: "Search and earlier" }).tap();
  const field = phone.page.getByRole("searchbox", { name: "Search everything" });
  await expect(field).toBeFocused();
  await field.fill("logi");
  const messages = phone.page.getByRole("region", { name: "Messages" });
  await expect(messages.getByRole("heading", { name: "Other" })).toBeVisible();
  await expect(messages.getByRole("link", { name: /^You · .*the login is somewhere else/ })).toBeVisible();
  await expect(messages.locator("mark").first()).toHaveText("login");
  const violations = await violationsOn(phone.page);
  expect(violations.filter(({ impact }) => impact === "serious" || impact === "critical")).toEqual([]);
  await phone.page.screenshot({ path: test.info().outputPath("search.png") });

  // A step of an agent is shown unfolded.
  await field.fill("look around now");
  await messages.getByRole("link", { name: /I look around now/ }).tap();
  const step = phone.chat.locator("[data-row=s1]");
  await expect(step).toBeInViewport();
  await expect(step).toHaveClass(/line--target/);
  await phone.page.goBack();
  await expect(field).toHaveValue("look around now");
});

test("an ended session is gone on with by one tap from the list of earlier ones", async ({
  phone,
  server,
}) => {
  keepConversation(server, ID, everything());
  await installClaude(server);
  await openEverything(phone);
  await phone.button("Session menu").tap();
  const menu = phone.page.getByRole("dialog", { name: "Session" });
  await menu.getByRole("button", { name: "End session" }).tap();
  await phone.secondTap(menu.getByRole("button", { name: "Tap again: stop the program and end" }));
  await expect(phone.page.getByText("This session is over")).toBeVisible();
  await phone.goHome();
  await phone.page.getByRole("link", { name: "Search and earlier" }).tap();
  await phone.page.getByRole("searchbox").fill("ab-web");
  const earlier = phone.page.getByRole("region", { name: "Earlier" });
  // It stands there once: as the session, not also as the CLI's own conversation.
  await expect(earlier.getByRole("listitem")).toHaveCount(1);
  await earlier.getByRole("button", { name: /^Resume / }).tap();
  await expect(phone.page.locator(".chat-bar")).toBeVisible();
  await expect(phone.page.getByText("This session is over")).toBeHidden();
  await expect(phone.chat.locator("[data-row=u3]")).toBeVisible();
});
