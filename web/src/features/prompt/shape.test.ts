import { expect, test } from "vitest";
import { gistOf, isPlainChoice, isRaw, isSecret, shapeOf } from "@/features/prompt/shape";
import { aPrompt, anOption } from "@/testing/builders";
import type { InteractivePrompt } from "@/wire/prompt";

const yesNo = [anOption("yes"), anOption("no")];
const question = { header: "", question: "which?", options: yesNo };

test.each<[Partial<InteractivePrompt>, string]>([
  [{ options: yesNo }, "choices"],
  [{ textInput: {} }, "text"],
  [{ options: yesNo, textInput: {} }, "choices-and-text"],
  [{ options: yesNo, multiSelect: true }, "multi-select"],
  [{ questions: [question] }, "questions"],
  [{}, "raw"],
  [{ options: [] }, "raw"],
])("%j is %s", (parts, shape) => expect(shapeOf(aPrompt(parts))).toBe(shape));

test.each<[string, Partial<InteractivePrompt>, boolean]>([
  ["yes and no", { options: yesNo }, true],
  ["too many", { options: [...yesNo, anOption("c"), anOption("d")] }, false],
  ["a lasting one", { options: [anOption("always", { role: "allow-always" })] }, false],
  ["one that takes text", { options: [anOption("tell", { opensText: true })] }, false],
  ["several at once", { options: yesNo, multiSelect: true }, false],
  ["with a field", { options: yesNo, textInput: {} }, false],
  ["a plan to read", { type: "plan", options: yesNo }, false],
  ["a change to look at", { options: yesNo, diff: [{ path: "a", unified: "+a" }] }, false],
  ["great risk", { options: yesNo, risk: { level: "high", reasons: [] } }, false],
  ["more than can be seen", { options: yesNo, moreOptions: true }, false],
])("on a card: %s", (_, parts, plain) => expect(isPlainChoice(aPrompt(parts))).toBe(plain));

test.each<[Partial<InteractivePrompt>, string]>([
  [{ toolInput: { command: "ls" }, description: "list" }, "ls"],
  [{ diff: [{ path: "a.rs", unified: "" }], toolInput: "x" }, "a.rs"],
  [{ questions: [question, question] }, "which? · which?"],
  [{ plan: "\n# Move it\n\nthen" }, "Move it"],
  [{ description: "because" }, "because"],
])("the gist of %j is %j", (parts, text) => expect(gistOf(aPrompt(parts)).text).toBe(text));

test("what is not understood shows the screen", () => {
  expect(isRaw(aPrompt({ type: "unrecognized", options: yesNo }))).toBe(true);
  expect(isRaw(aPrompt({}))).toBe(true);
  expect(isRaw(aPrompt({ options: yesNo }))).toBe(false);
});

test("a secret is known wherever it is asked for", () => {
  expect(isSecret(aPrompt({ textInput: { secret: true } }))).toBe(true);
  expect(isSecret(aPrompt({ questions: [{ ...question, textInput: { secret: true } }] }))).toBe(true);
  expect(isSecret(aPrompt({ textInput: {} }))).toBe(false);
});
