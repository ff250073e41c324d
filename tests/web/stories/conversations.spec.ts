/* A conversation from Claude's own file: shown as cards, resumed from the ended session and from the list of earlier ones. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Server } from "../harness/server";
import { expect, test } from "../harness/story";

const SAMPLE = resolve(import.meta.dirname, "../../../adapters/src/claude/transcripts/2.1.325.jsonl");

/** A program under Claude's name that writes what the real one wrote in a conversation that was captured. */
async function putClaudeInPlace(server: Server): Promise<void> {
  const sample = join(server.home, "sample.jsonl");
  writeFileSync(sample, readFileSync(SAMPLE, "utf8").replaceAll("/home/project/claude/p/hk1", server.home));
  mkdirSync(join(server.home, "bin"));
  const program = join(server.home, "bin/claude");
  writeFileSync(
    program,
    `#!/bin/bash
if [ "$1" = --version ]; then echo 99.0.0; exit; fi
folder="$HOME/.claude/projects/\${PWD//[^a-zA-Z0-9]/-}"
mkdir -p "$folder"
[ "$1" = --resume ] || cat "${sample}" > "$folder/$2.jsonl"
read -r _
`,
  );
  chmodSync(program, 0o755);
  // Which agents are installed is looked up at the start.
  await server.stop();
  await server.launch();
}

test("it is shown, ended, resumed, and listed", { tag: "@every-phone" }, async ({ phone, server }) => {
  await putClaudeInPlace(server);
  await phone.page.reload();
  await phone.start({ agent: "Claude Code" });
  await expect(phone.chat.getByText("please #edit")).toBeVisible();
  const edit = phone.chat.getByRole("button", { name: /^Edit .*app\.py/ });
  await expect(edit).toContainText("+3 −1");
  await edit.tap();
  await expect(phone.chat.getByRole("table")).toContainText("# add two numbers");
  await expect(phone.chat.getByText("Which database should we use?")).toBeVisible();
  await expect(phone.chat.locator("strong", { hasText: "PostgreSQL" })).toBeVisible();

  await phone.button("Session menu").tap();
  const menu = phone.page.getByRole("dialog", { name: "Session" });
  await expect(menu).toContainText("14k in · 700 out · $0.07");
  await menu.getByRole("button", { name: "End session" }).tap();
  await phone.secondTap(menu.getByRole("button", { name: "Tap again: stop the program and end" }));
  await phone.button("Resume").tap();
  await expect(phone.page.getByText("This session is over")).toBeHidden();
  await expect(phone.chat.getByText("All done (agent-bash).")).toBeVisible();

  await phone.goHome();
  await phone.button("New session").tap();
  await phone.page.getByRole("radio", { name: "Claude Code" }).tap();
  await phone.page.getByRole("textbox", { name: "Folder" }).fill(server.home);
  await phone.page.getByRole("button", { name: /please #bash/ }).tap();
  await expect(phone.alert).toContainText("this conversation is open already");
});
