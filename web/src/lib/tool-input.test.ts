import { expect, test } from "vitest";
import { commandOf, toolText } from "@/lib/tool-input";

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
  [[1], "[\n  1\n]"],
  [{ command: "ls", description: "list" }, "ls"],
])("%j reads %j", (input, text) => expect(toolText(input)).toBe(text));
