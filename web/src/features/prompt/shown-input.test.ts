import { expect, test } from "vitest";
import { shownInput, versionOf } from "@/features/prompt/shown-input";
import { anOption, aPrompt } from "@/testing/builders";

const diff = [{ path: "src/a.rs", unified: "@@ -1 +1 @@\n-let a = 1;\n+let a = 2;" }];

test("what the change shows is not told twice, but what else changes what happens is", () => {
  const toolInput = {
    file_path: "src/a.rs",
    old_string: "let a = 1;",
    new_string: "let a = 2;",
    replace_all: true,
    mode: "0777",
  };
  expect(shownInput(aPrompt({ diff, toolInput })).fields).toEqual([
    { name: "replace_all", text: "true" },
    { name: "mode", text: "0777" },
  ]);
});

test("text that is not in the change is shown", () => {
  const toolInput = { file_path: "src/b.rs", new_string: "let a = 2;\nevil();" };
  expect(shownInput(aPrompt({ diff, toolInput })).fields).toEqual([
    { name: "file_path", text: "src/b.rs" },
    { name: "new_string", text: "let a = 2;\nevil();" },
  ]);
});

test("a description is told once, and only if it is the same", () => {
  const toolInput = { command: "ls", description: "Lists files" };
  expect(shownInput(aPrompt({ toolInput, description: "Lists files" })).fields).toEqual([]);
  expect(shownInput(aPrompt({ toolInput, description: "Other" })).fields).toHaveLength(1);
});

test("a prompt is another one when anything that is read has changed", () => {
  const prompt = aPrompt({ options: [anOption("a")], diff });
  expect(versionOf({ ...prompt, createdAt: 5, position: "1 of 2" })).toBe(versionOf(prompt));
  for (const change of [
    { options: [anOption("b")] },
    { options: [anOption("a", { label: "Allow all" })] },
    { diff: [{ path: "src/a.rs", unified: "+system(evil);" }] },
    { toolInput: "rm" },
    { incomplete: true },
  ]) {
    expect(versionOf({ ...prompt, ...change })).not.toBe(versionOf(prompt));
  }
  expect(versionOf({ ...prompt, digest: "d2" })).not.toBe(versionOf({ ...prompt, digest: "d1" }));
});
