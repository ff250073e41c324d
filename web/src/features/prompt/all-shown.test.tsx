/* Whatever a tool is given stands on the sheet: inputs by chance, of any shape, with a change beside them or without. */
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { PromptOverlay } from "@/features/prompt/prompt-overlay";
import { visibleText } from "@/lib/visible-text";
import { anApp, anOption, aPrompt, aSession } from "@/testing/builders";
import { renderApp } from "@/testing/render-app";
import type { InteractivePrompt } from "@/wire/prompt";

/** The same numbers in every run: what fails once fails again. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Value = string | number | boolean | Value[] | { [name: string]: Value };

const NAMES = [
  "command",
  "cmd",
  "file_path",
  "description",
  "content",
  "host",
  "args",
  "input",
  "url",
  "old_string",
];
const TEXTS = [
  "rm -rf /srv",
  "npm test",
  "one\ntwo",
  "src/a.rs",
  "let a = 2;",
  "a \u202Eb",
  "x\u2800; y",
  'say "hi"',
  "<b>bold</b>",
  "**stars**",
  "true",
  "Lists files",
];

function valueOf(chance: (below: number) => number, depth = 0): Value {
  const kind = chance(depth < 3 ? 6 : 3);
  if (kind === 3) return Array.from({ length: chance(3) + 1 }, () => valueOf(chance, depth + 1));
  if (kind > 3) {
    const names = Array.from({ length: chance(4) + 1 }, () => NAMES[chance(NAMES.length)] ?? "");
    return Object.fromEntries(names.map((name) => [name, valueOf(chance, depth + 1)]));
  }
  return kind === 2 ? chance(100_000) : `${TEXTS[chance(TEXTS.length)] ?? ""} ${chance(1_000)}`;
}

/** Every text and number anywhere in an input, as it may stand on the sheet: alone, or inside of what is written as JSON. */
function leaves(value: Value): string[] {
  if (typeof value === "object") return Object.values(value).flatMap(leaves);
  return [typeof value === "string" ? value : String(value)];
}

const squashed = (text: string) => text.replace(/\s+/g, "");

test("every text of a tool's input stands on the sheet", () => {
  for (let seed = 1; seed <= 60; seed++) {
    const chance = numbers(seed);
    const toolInput = valueOf(chance);
    const parts: Partial<InteractivePrompt> = {
      toolInput,
      description: chance(2) ? "Lists files" : "",
      ...(chance(2) ? { toolName: "mcp__any__tool" } : {}),
      ...(chance(3)
        ? {}
        : { diff: [{ path: "src/a.rs", unified: "@@ -1 +1 @@\n-let a = 1;\n+let a = 2;" }] }),
    };
    const prompts = [{ prompt: aPrompt({ ...parts, options: [anOption("yes", { role: "allow" })] }) }];
    const app = anApp({ sessions: { s1: aSession() }, prompts, sheet: { shown: "p1", lowered: [] } });
    const { unmount } = renderApp(app, <PromptOverlay modal />);
    const seen = squashed(screen.getByRole("alertdialog").textContent);
    for (const leaf of leaves(toolInput)) {
      const ways = [leaf, JSON.stringify(leaf).slice(1, -1)].map((way) => squashed(visibleText(way)));
      expect(
        ways.some((way) => seen.includes(way)),
        `${seed}: ${leaf} of ${JSON.stringify(parts)}`,
      ).toBe(true);
    }
    unmount();
  }
});
