/* On the sheet: why it was asked, and an answer that holds for longer, with the rule read before it is saved. */
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { PromptOverlay } from "@/features/prompt/prompt-overlay";
import { anApp, anOption, aPrompt, aSession } from "@/testing/builders";
import { pass, renderApp } from "@/testing/render-app";
import type { Command, ReplyData } from "@/wire/protocol";
import type { RulesReply } from "@/wire/rules";

const EXACT = {
  text: "Bash(cargo test -p a)",
  words: "Allow exactly this command: cargo test -p a",
  also: [],
};
const GENERAL = {
  text: "Bash(cargo test:*)",
  words: "Allow commands that begin with: cargo test",
  also: ["cargo test --all"],
};
const REFUSING = { text: EXACT.text, words: "Refuse exactly this command: cargo test -p a", also: [] };

function reply(command: Command): ReplyData {
  if (command.type !== "rules") return { type: "done" };
  return { type: "rules", rules: replyTo(command.rules) };
}

function replyTo(asked: Extract<Command, { type: "rules" }>["rules"]): RulesReply {
  if (asked.do === "why") {
    const part = { text: "cargo test -p a", via: [], verdict: "ask", why: "no rule allows it" } as const;
    return { kind: "why", why: { why: "no rule covers it", always: false, parts: [{ ...part, via: [] }] } };
  }
  if (asked.do !== "preview") return { kind: "done" };
  return { kind: "offers", offers: asked.verdict === "allow" ? [EXACT, GENERAL] : [REFUSING] };
}

async function open(answer: (command: Command) => ReplyData = reply) {
  const prompt = aPrompt({
    toolName: "Bash",
    toolInput: "cargo test -p a",
    options: [
      anOption("yes", { label: "Yes", role: "allow" }),
      anOption("no", { label: "No", role: "deny" }),
    ],
  });
  const sheet = { shown: "p1", lowered: [] };
  const app = anApp({ sessions: { s1: aSession() }, prompts: [{ prompt }], sheet }, answer);
  const view = renderApp(app, <PromptOverlay modal />);
  pass(1_000);
  await view.user.click(screen.getByRole("button", { name: "why, and remember" }));
  await screen.findByText("Why this was asked");
  const responses = () =>
    app.sent.flatMap((command) => (command.type === "respond" ? [command.response] : []));
  return { ...view, responses };
}

test("it says why it was asked, part by part", async () => {
  await open();
  expect(screen.getByText("no rule covers it")).toBeInTheDocument();
  expect(screen.getByRole("list", { name: "Part by part" })).toHaveTextContent(
    "cargo test -p a asked: no rule allows it",
  );
});

test("the rule is read before it is saved, and a lasting yes takes two taps", async () => {
  const { user, responses } = await open();
  await user.click(await screen.findByRole("radio", { name: "this session" }));
  expect(screen.getByText(/Yes saves the rule/)).toHaveTextContent(EXACT.words);
  await user.click(screen.getByRole("radio", { name: GENERAL.words }));
  expect(screen.getByText(/Yes saves the rule/)).toHaveTextContent("It would also cover: cargo test --all");
  pass(1_000);
  await user.click(screen.getByRole("button", { name: "Yes" }));
  expect(responses()).toEqual([]);
  pass(1_000);
  await user.click(screen.getByRole("button", { name: "tap again: Yes" }));
  expect(responses()).toMatchObject([
    { selectedOption: "yes", remember: { scope: "session", rule: GENERAL.text } },
  ]);
});

test("a no is remembered with its own rule, and for so many times", async () => {
  const { user, responses } = await open();
  await user.click(await screen.findByRole("radio", { name: "5 times" }));
  pass(1_000);
  await user.click(screen.getByRole("button", { name: "No" }));
  expect(responses()).toMatchObject([
    { selectedOption: "no", remember: { scope: "uses", uses: 5, rule: REFUSING.text } },
  ]);
});

test("just this once remembers nothing", async () => {
  const { user, responses } = await open();
  await user.click(await screen.findByRole("radio", { name: "always" }));
  await user.click(screen.getByRole("radio", { name: "just this once" }));
  pass(1_000);
  await user.click(screen.getByRole("button", { name: "Yes" }));
  expect(responses()[0]).not.toHaveProperty("remember");
});

test("what can never be a rule says so", async () => {
  await open((command) => {
    if (command.type !== "rules" || command.rules.do !== "preview") return reply(command);
    const refused = "this is always asked: deletes folders";
    return { type: "rules", rules: { kind: "offers", offers: [], refused } };
  });
  expect(await screen.findByText(/this is always asked: deletes folders/)).toBeInTheDocument();
  expect(screen.queryByRole("radio")).toBeNull();
});
