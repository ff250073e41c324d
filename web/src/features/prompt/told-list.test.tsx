import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { ToldList } from "@/features/prompt/told-list";
import { anApp, aPrompt } from "@/testing/builders";
import { pass, renderApp } from "@/testing/render-app";
import type { HistoryStep } from "@/wire/history";

function open(steps: HistoryStep[]) {
  const app = anApp({}, () => ({ type: "history-prompt", prompt: aPrompt(), steps }));
  renderApp(app, <ToldList requestId="p1" />);
  pass(1_000);
}

test("who was told is listed with what became of it, and nothing else", async () => {
  open([
    { seq: 1, at: 1_000, kind: "prompt-seen" },
    { seq: 2, at: 2_000, kind: "notification", text: "iPhone (web-push): taken" },
    { seq: 3, at: 3_000, kind: "notification", text: "ntfy: no answer" },
  ]);
  const list = await screen.findByRole("list", { name: "Who was told" });
  expect(list.children).toHaveLength(2);
  expect(list).toHaveTextContent("iPhone (web-push): taken");
  expect(list).toHaveTextContent("ntfy: no answer");
});

test("that nobody was told is said", async () => {
  open([{ seq: 1, at: 1_000, kind: "prompt-seen" }]);
  expect(await screen.findByText(/Nobody was told/)).toBeVisible();
});
