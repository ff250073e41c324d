/* What each tap means, as a table of inputs and the one response they lead to, or none. */
import { expect, test } from "vitest";
import {
  canGoOn,
  canSendText,
  canSubmit,
  emptyForm,
  formFor,
  step,
  type Form,
  type Input,
} from "@/features/prompt/form";
import { aPrompt, anOption } from "@/testing/builders";
import type { InteractivePrompt, PromptResponse } from "@/wire/prompt";

const choices = aPrompt({
  options: [
    anOption("yes", { role: "allow" }),
    anOption("always", { role: "allow-always" }),
    anOption("tell", { role: "feedback", opensText: true }),
    anOption("no", { role: "deny" }),
  ],
});
const text = aPrompt({ textInput: {} });
const both = aPrompt({ options: [anOption("a")], textInput: {} });
const multi = aPrompt({ multiSelect: true, options: [anOption("a"), anOption("b"), anOption("c")] });
const prechecked = aPrompt({ multiSelect: true, options: [anOption("a", { checked: true }), anOption("b")] });
const questions = aPrompt({
  questions: [
    { header: "One", question: "one?", options: [anOption("a"), anOption("b")], textInput: {} },
    { header: "Two", question: "two?", options: [anOption("x"), anOption("y")], multiSelect: true },
    { header: "Three", question: "three?", options: [], textInput: {} },
  ],
});

/** Enters all inputs; the response of the last one counts, and none may come before it. */
function enter(prompt: InteractivePrompt, inputs: Input[]): { form: Form; response: PromptResponse | null } {
  let form = emptyForm(prompt);
  let response: PromptResponse | null = null;
  let now = 0;
  for (const input of inputs) {
    expect(response).toBeNull();
    ({ form, response } = step(prompt, form, input, now));
    now += 1_000;
  }
  return { form, response };
}

const tap = (value: string): Input => ({ type: "tap", value });
const type = (value: string): Input => ({ type: "text", text: value });
const toggle = (value: string): Input => ({ type: "toggle", value });
const choose = (value: string): Input => ({ type: "question", input: { type: "choose", value } });
const other: Input = { type: "question", input: { type: "other" } };
const say = (value: string): Input => ({ type: "question", input: { type: "text", text: value } });
const send: Input = { type: "send-text" };
const submit: Input = { type: "submit" };
const next: Input = { type: "next" };
const back: Input = { type: "back" };

type Row = [
  what: string,
  prompt: InteractivePrompt,
  inputs: Input[],
  response: Omit<PromptResponse, "requestId"> | null,
];

const ROWS: Row[] = [
  ["a plain option answers at once", choices, [tap("yes")], { selectedOption: "yes" }],
  ["an option the prompt does not have is nothing", choices, [tap("other")], null],
  ["a lasting option needs two taps", choices, [tap("always")], null],
  ["the second tap answers", choices, [tap("always"), tap("always")], { selectedOption: "always" }],
  ["typing in between takes the first tap back", choices, [tap("always"), type("x"), tap("always")], null],
  ["another option in between takes it back too", choices, [tap("always"), tap("tell"), tap("always")], null],
  ["an option that takes text opens its field", choices, [tap("tell")], null],
  [
    "and is sent with the text",
    choices,
    [tap("tell"), type("use yarn"), send],
    { selectedOption: "tell", textValue: "use yarn" },
  ],
  ["but not without any", choices, [tap("tell"), type("  "), send], null],
  ["a second tap closes the field again", choices, [tap("tell"), tap("tell"), type("x"), send], null],
  ["text where none is taken is nothing", choices, [type("x"), send], null],
  ["text alone", text, [type("a name"), send], { textValue: "a name" }],
  ["empty text is nothing", text, [send], null],
  ["both: an option", both, [tap("a")], { selectedOption: "a" }],
  ["both: text", both, [type("b"), send], { textValue: "b" }],
  ["nothing ticked is nothing", multi, [submit], null],
  [
    "ticks in the CLI's order",
    multi,
    [toggle("c"), toggle("a"), toggle("b"), toggle("b"), submit],
    { selectedOptions: ["a", "c"] },
  ],
  ["what was ticked stays ticked", prechecked, [toggle("b"), submit], { selectedOptions: ["a", "b"] }],
  ["taking all ticks away is an answer there", prechecked, [toggle("a"), submit], { selectedOptions: [] }],
  ["questions are not sent half answered", questions, [choose("a"), submit], null],
  [
    "questions page by page",
    questions,
    [choose("a"), next, choose("y"), choose("x"), next, say("zed"), next, submit],
    {
      answers: [
        { selectedOptions: ["a"] },
        { selectedOptions: ["x", "y"] },
        { selectedOptions: [], textValue: "zed" },
      ],
    },
  ],
  [
    "other… counts its text and not the option before",
    questions,
    [choose("a"), other, say("mine"), next, choose("x"), next, say("z"), next, submit],
    {
      answers: [
        { selectedOptions: [], textValue: "mine" },
        { selectedOptions: ["x"] },
        { selectedOptions: [], textValue: "z" },
      ],
    },
  ],
  [
    "an option after other… counts without the text",
    questions,
    [other, say("mine"), choose("b"), next, choose("x"), next, say("z"), next, submit],
    {
      answers: [
        { selectedOptions: ["b"] },
        { selectedOptions: ["x"] },
        { selectedOptions: [], textValue: "z" },
      ],
    },
  ],
];

test.each(ROWS)("%s", (_, prompt, inputs, response) => {
  expect(enter(prompt, inputs).response).toEqual(response && { requestId: "p1", ...response });
});

/** Taps the same option twice, so many milliseconds apart. */
function twice(prompt: InteractivePrompt, value: string, apart: number): PromptResponse | null {
  const { form } = step(prompt, emptyForm(prompt), tap(value), 1_000);
  return step(prompt, form, tap(value), 1_000 + apart).response;
}

test.each([
  [50, null],
  [399, null],
  [400, { requestId: "p1", selectedOption: "always" }],
  [4_999, { requestId: "p1", selectedOption: "always" }],
  [5_000, null],
])("two taps %i ms apart give %j", (apart, response) =>
  expect(twice(choices, "always", apart)).toEqual(response),
);

test.each<[string, Partial<InteractivePrompt>, value: string, secondTap: boolean]>([
  ["a yes to what is not wholly shown", { incomplete: true }, "yes", true],
  ["a no to it", { incomplete: true }, "no", false],
  ["a yes to a change that is folded", { diff: [{ path: "a", unified: "+x\n".repeat(201) }] }, "yes", true],
  ["a yes to one that is not", { diff: [{ path: "a", unified: "+x\n".repeat(200) }] }, "yes", false],
  ["a yes that outlasts the session", { startup: true }, "yes", true],
  ["a yes to a risk", { risk: { level: "high", reasons: [] } }, "yes", true],
  ["a plain yes", {}, "yes", false],
])("%s takes a second tap: %4$s", (_, parts, value, secondTap) => {
  const prompt = { ...choices, ...parts };
  const first = step(prompt, emptyForm(prompt), tap(value), 0);
  expect(first.response === null).toBe(secondTap);
  expect(step(prompt, first.form, tap(value), 1_000).response).toMatchObject({ selectedOption: value });
});

test("the answer names the prompt as it was read", () => {
  const digest = "abc";
  expect(enter({ ...choices, digest }, [tap("yes")]).response).toEqual({
    requestId: "p1",
    selectedOption: "yes",
    digest,
  });
  expect(enter({ ...text, digest }, [type("a"), send]).response).toMatchObject({ digest });
  expect(enter({ ...multi, digest }, [toggle("a"), submit]).response).toMatchObject({ digest });
});

test("a prompt that must not be answered with buttons gives no response", () => {
  const warned = { ...choices, warning: "the terminal shows something else" };
  expect(enter(warned, [tap("yes"), tap("yes"), tap("no")]).response).toBeNull();
});

test("a changed prompt takes a first tap, ticks and an option that is gone back", () => {
  const armed = step(choices, emptyForm(choices), tap("always"), 0).form;
  expect(formFor(choices, armed).armed).not.toBeNull();
  expect(formFor({ ...choices, toolInput: "rm" }, armed).armed).toBeNull();
  const opened = { ...emptyForm(choices), opened: "tell", text: "half" };
  expect(formFor({ ...choices, description: "more" }, opened)).toMatchObject({
    opened: "tell",
    text: "half",
  });
  expect(formFor({ ...choices, options: [anOption("yes")] }, opened)).toMatchObject({ opened: null });
});

test("Enter alone answers a program that takes its default, and nothing else", () => {
  const empty: Input = { type: "send-empty" };
  expect(enter({ ...text, adapter: "generic" }, [empty]).response).toEqual({
    requestId: "p1",
    textValue: "",
  });
  expect(enter({ ...text, adapter: "generic" }, [type("x"), empty]).response).toBeNull();
  expect(enter(text, [empty]).response).toBeNull();
  expect(enter({ ...text, adapter: "generic", textInput: { secret: true } }, [empty]).response).toBeNull();
  const passphrase = { ...text, adapter: "generic", textInput: { secret: true, mayBeEmpty: true } } as const;
  expect(enter(passphrase, [empty]).response).toEqual({ requestId: "p1", textValue: "" });
});

test("what was typed does not outlive the answer", () => {
  const secret = aPrompt({ textInput: { secret: true } });
  expect(enter(secret, [type("hunter2"), send]).form.text).toBe("");
});

test("pages turn only when answered, and back freely", () => {
  expect(enter(questions, [next]).form.page).toBe(0);
  expect(enter(questions, [choose("a"), next]).form.page).toBe(1);
  expect(enter(questions, [choose("a"), next, back, back]).form.page).toBe(0);
  expect(enter(questions, [choose("a"), next, choose("x"), next, say("z"), next, next]).form.page).toBe(3);
  expect(enter(questions, [{ type: "page", page: 2 }]).form.page).toBe(2);
});

test("what can be pressed follows what was entered", () => {
  const form = emptyForm(questions);
  expect([canGoOn(questions, form), canSubmit(questions, form)]).toEqual([false, false]);
  expect(canSendText(text, { ...emptyForm(text), text: "x" })).toBe(true);
});
