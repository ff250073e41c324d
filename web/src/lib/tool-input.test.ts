import { expect, test } from "vitest";
import { commandOf, fieldsText, readInput } from "@/lib/tool-input";

test.each([
  ["ls -l", "ls -l"],
  [{ command: "cargo test" }, "cargo test"],
  [{ command: ["bash", "-lc", "ls"] }, "bash -lc ls"],
  [{ cmd: "ls" }, "ls"],
  [{ path: "a" }, null],
  [7, null],
  [null, null],
])("the command of %j is %j", (input, command) => expect(commandOf(input)).toBe(command));

test.each([
  [undefined, ""],
  [{ path: "a.rs", lines: [1, 2] }, "path: a.rs\nlines: [\n  1,\n  2\n]"],
  [[1], "input: [\n  1\n]"],
  [{ command: "restart", host: "prod-db" }, "host: prod-db"],
  [{ command: "ls", cmd: "rm" }, "cmd: rm"],
  [{ command: "make", run_in_background: true }, "run_in_background: true"],
  [{ command: { shell: "rm" } }, 'command: {\n  "shell": "rm"\n}'],
])("beside its command %j has %j", (input, text) => expect(fieldsText(readInput(input).fields)).toBe(text));

/** Every string and number anywhere in an input. */
function leaves(value: unknown): string[] {
  if (value !== null && typeof value === "object") return Object.values(value).flatMap(leaves);
  return [String(value)];
}

test.each([
  [{ command: "status", host: "production", args: "--destroy --force", script: "rm -rf /srv" }],
  [{ command: ["sh", "-c", "x"], env: { A: "1", B: ["2", "3"] }, sandbox: false }],
  [{ nested: { command: "rm" }, list: [{ deep: "value" }] }],
  [["a", { b: "c" }]],
])("nothing of %j is left out", (input) => {
  const { command, fields } = readInput(input);
  const shown = `${command ?? ""}\n${fieldsText(fields)}`;
  for (const leaf of leaves(input)) expect(shown).toContain(leaf);
});
