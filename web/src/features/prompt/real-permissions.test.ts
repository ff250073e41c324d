/* Yes and no on a card, for the permissions that the CLIs really ask for: as the adapters read them from captured screens. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { cardOptions } from "@/features/prompt/shape";
import { aPrompt } from "@/testing/builders";
import type { OptionRole, PromptOption } from "@/wire/prompt";

const ADAPTERS = "../adapters/src";

interface Captured {
  title: string;
  type: string;
  toolName?: string;
  toolInput?: unknown;
  options?: { label: string; role?: OptionRole; description?: string; preview?: string; text?: unknown }[];
}

/** Each different permission of a CLI, by the screens whose names begin so. */
function captured(cli: string, begins: RegExp): PromptOption[][] {
  const folder = `${ADAPTERS}/${cli}/screens`;
  const found = new Map<string, PromptOption[]>();
  for (const name of readdirSync(folder).filter((each) => begins.test(each))) {
    const reading = JSON.parse(readFileSync(`${folder}/${name}/reading.json`, "utf8")) as {
      prompt?: Captured;
    };
    if (reading.prompt?.type !== "permission") continue;
    const options = (reading.prompt.options ?? []).map(
      ({ label, role, description, preview, text }): PromptOption => ({
        value: label,
        label,
        ...(role && { role }),
        ...(description !== undefined && { description }),
        ...(preview !== undefined && { preview }),
        ...(text !== undefined && { opensText: true }),
      }),
    );
    found.set(options.map(({ label }) => label).join("\n"), options);
  }
  return [...found.values()];
}

test.each([
  ["claude", /^perm-bash/],
  ["codex", /exec-(approval|prefix|long|heredoc)|patch-approval/],
  ["gemini", /^perm-(shell|mcp|webfetch)/],
])("the permissions of %s have one yes and one no on their card", (cli, begins) => {
  const asked = captured(cli, begins).filter(
    (options) =>
      options.some(({ role }) => role === "allow") &&
      options.some(({ role, opensText }) => role === "deny" && !opensText),
  );
  expect(asked.length).toBeGreaterThan(2);
  for (const options of asked) {
    const roles = cardOptions(aPrompt({ options, toolInput: { command: "cargo test" } })).map(
      ({ role }) => role,
    );
    expect(roles.toSorted(), options.map(({ label }) => label).join(" | ")).toEqual(["allow", "deny"]);
  }
});

test.each(["claude", "gemini"])("what %s asks at its start is never answered on a card", (cli) => {
  const asked = captured(cli, /^startup/);
  expect(asked.length).toBeGreaterThan(0);
  for (const options of asked) expect(cardOptions(aPrompt({ options, startup: true }))).toEqual([]);
});
