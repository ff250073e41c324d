/* The page of rules: every rule with its uses, what pauses, and what the past speaks for. */
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { RulesPage } from "@/features/rules/rules-page";
import { anApp, aSession } from "@/testing/builders";
import { pass, renderApp } from "@/testing/render-app";
import type { Command, ReplyData } from "@/wire/protocol";
import type { RuleInfo, RulesReply, RulesStatus } from "@/wire/rules";

const status: RulesStatus = {
  mode: "on",
  paused: false,
  sessions: [{ sessionId: "s1", why: "after-no" }],
  count: 2,
};
const made: RuleInfo = {
  id: "made-1",
  verdict: "allow",
  text: "Bash(ls:*)",
  words: "Allow commands that begin with: ls",
  origin: "made",
  used: 2,
  uses: 5,
};
const written: RuleInfo = {
  ...made,
  id: "deny rm",
  verdict: "deny",
  text: "Bash(rm:*)",
  words: "Refuse rm",
  origin: "file",
  used: 0,
};

function open(mistakes: string[] = []) {
  const answer = (rules: RulesReply): ReplyData => ({ type: "rules", rules });
  function reply(command: Command): ReplyData {
    if (command.type !== "rules") return { type: "done" };
    const wanted = command.rules.do;
    if (wanted === "list") {
      return answer({ kind: "list", rules: [made, written], status, file: "/rules.toml", mistakes });
    }
    if (wanted === "suggest") {
      const found = { verdict: "allow", text: "Bash(cargo test:*)", words: "Allow cargo test" } as const;
      const seen = { times: 3, covers: ["cargo test a"], also: ["cargo test b"] };
      return answer({ kind: "suggestions", suggestions: [{ ...found, ...seen }] });
    }
    if (wanted === "dry-run") {
      const run = {
        prompts: 10,
        allowed: 7,
        denied: 1,
        refusedButAllowed: ["git push"],
        allowedButDenied: [],
      };
      return answer({ kind: "dry-run", run });
    }
    return answer({ kind: "done" });
  }
  const app = anApp({ sessions: { s1: aSession() }, rules: status }, reply);
  const view = renderApp(app, <RulesPage />);
  pass(1_000);
  const wanted = () => app.sent.flatMap((command) => (command.type === "rules" ? [command.rules] : []));
  return { ...view, wanted };
}

test("rules stand by where they hold, with their uses; one that was made here can be removed", async () => {
  const { user, wanted } = open();
  const everywhere = await screen.findByRole("region", { name: "Everywhere" });
  expect(everywhere).toHaveTextContent("used 2 of 5 times");
  const file = screen.getByRole("region", { name: "From your file" });
  expect(within(file).queryByRole("button", { name: /Remove/ })).toBeNull();
  await user.click(within(everywhere).getByRole("button", { name: "Remove Bash(ls:*)" }));
  pass(1_000);
  await user.click(within(everywhere).getByRole("button", { name: "remove?" }));
  expect(wanted()).toContainEqual({ do: "remove", ruleId: "made-1" });
});

test("all rules are paused by one tap, and a session's are resumed by one", async () => {
  const { user, wanted } = open();
  await user.click(await screen.findByRole("button", { name: "Pause all rules" }));
  await user.click(screen.getByRole("button", { name: "resume" }));
  await user.click(screen.getByRole("radio", { name: "Rules only say what they would answer" }));
  expect(wanted()).toContainEqual({ do: "pause" });
  expect(wanted()).toContainEqual({ do: "resume", sessionId: "s1" });
  expect(wanted()).toContainEqual({ do: "set-mode", mode: "shadow" });
});

test("mistakes of the file are told with their lines", async () => {
  open(["line 2: a list of texts is expected"]);
  expect(await screen.findByRole("alert")).toHaveTextContent("line 2: a list of texts is expected");
});

test("a suggestion shows what it was never asked for, and becomes a rule", async () => {
  const { user, wanted } = open();
  await user.click(await screen.findByRole("button", { name: "Suggest rules" }));
  expect(await screen.findByText(/Never seen, and covered too/)).toHaveTextContent("cargo test b");
  await user.click(screen.getByRole("button", { name: "Make the rule Bash(cargo test:*)" }));
  expect(wanted()).toContainEqual({
    do: "add",
    verdict: "allow",
    text: "Bash(cargo test:*)",
    limits: { scope: "always" },
  });
});

test("a dry run counts, and names what goes against the person's own answers", async () => {
  const { user } = open();
  await user.click(await screen.findByRole("button", { name: "What would the rules have done?" }));
  expect(await screen.findByText(/8 of 10/)).toBeInTheDocument();
  expect(screen.getByText("you refused, they would allow: git push")).toBeInTheDocument();
});
