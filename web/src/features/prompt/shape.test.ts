import { expect, test } from "vitest";
import { cardOptions, gistOf, isRaw, isSecret, shapeOf } from "@/features/prompt/shape";
import { fieldsText } from "@/lib/tool-input";
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

const low = { level: "low", reasons: [] } as const;
const claude = [
  anOption("yes", { role: "allow" }),
  anOption("always", { role: "allow-always" }),
  anOption("no", { role: "deny" }),
];
const codex = [
  anOption("yes", { role: "allow" }),
  anOption("always", { role: "allow-always" }),
  anOption("no", { role: "deny", description: "This stops the turn." }),
];

test.each<[string, Partial<InteractivePrompt>, string[]]>([
  ["yes and no", { options: yesNo }, ["yes", "no"]],
  ["a permission of Claude's: yes and no of it", { options: claude }, ["yes", "no"]],
  ["one of Codex's", { options: codex, toolInput: { command: "ls" } }, ["yes", "no"]],
  ["little risk", { options: claude, risk: { ...low, reasons: [] } }, ["yes", "no"]],
  [
    "a refusal that takes text",
    { options: [anOption("yes", { role: "allow" }), anOption("t", { role: "deny", opensText: true })] },
    [],
  ],
  ["too many without a role", { options: [...yesNo, anOption("c"), anOption("d")] }, []],
  ["a lasting one alone", { options: [anOption("always", { role: "allow-always" })] }, []],
  ["one that takes text", { options: [anOption("tell", { opensText: true })] }, []],
  ["more to read in an option", { options: [anOption("a", { preview: "and b" }), anOption("c")] }, []],
  ["several at once", { options: yesNo, multiSelect: true }, []],
  ["with a field", { options: yesNo, textInput: {} }, []],
  ["a plan to read", { type: "plan", options: yesNo }, []],
  ["a change to look at", { options: yesNo, diff: [{ path: "a", unified: "+a" }] }, []],
  ["medium risk", { options: claude, risk: { level: "medium", reasons: [] } }, []],
  ["great risk", { options: claude, risk: { level: "high", reasons: [] } }, []],
  ["more than can be seen", { options: yesNo, moreOptions: true }, []],
  ["what is not wholly shown", { options: claude, incomplete: true }, []],
  ["a dialog of the start", { options: claude, startup: true }, []],
  ["what a folder would run", { options: claude, wouldRun: [{ file: "a", what: "b", text: "c" }] }, []],
  ["a contradiction", { options: claude, warning: "no" }, []],
  ["a guess", { options: claude, confidence: "guess" }, []],
])("on a card: %s", (_, parts, values) =>
  expect(cardOptions(aPrompt(parts)).map(({ value }) => value)).toEqual(values),
);

test.each<[Partial<InteractivePrompt>, text: string, rest: string]>([
  [{ toolInput: { command: "ls" }, description: "list" }, "ls", "“list”"],
  [{ toolInput: { command: "restart", host: "prod" } }, "restart", "host: prod"],
  [{ toolInput: { host: "prod" } }, "", "host: prod"],
  [{ diff: [{ path: "a.rs", unified: "" }] }, "a.rs", ""],
  [{ questions: [question, question] }, "which? · which?", ""],
  [{ plan: "\n# Move it\n\nthen" }, "Move it", ""],
  [{ description: "because" }, "", "“because”"],
])("the gist of %j is %j and %j", (parts, text, rest) => {
  const gist = gistOf(aPrompt(parts));
  expect(gist.text).toBe(text);
  expect(fieldsText(gist.fields) + (gist.said && `“${gist.said}”`)).toBe(rest);
});

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
