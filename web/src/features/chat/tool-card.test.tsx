import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { ToolCard } from "@/features/chat/tool-card";
import type { ToolBody } from "@/lib/tool-words";
import { anApp } from "@/testing/builders";
import { renderApp } from "@/testing/render-app";

const tool = (parts: Partial<ToolBody>): ToolBody => ({
  type: "tool",
  name: "Tool",
  summary: "",
  input: null,
  ...parts,
});

test("a command folds its output and says its exit code", async () => {
  const output = Array.from({ length: 400 }, (_, line) => `line ${line}`).join("\n");
  const result = { ok: false, output, exitCode: 2, clipped: true };
  render(
    <ToolCard body={tool({ purpose: { type: "command", command: "make" }, summary: "Build it", result })} />,
  );
  expect(screen.getByText("exit 2")).toBeVisible();
  expect(screen.queryByText(/line 399/)).toBeNull();
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: /make/ }));
  expect(screen.getByText("Build it")).toBeVisible();
  expect(screen.getByText(/line 399/)).not.toHaveTextContent("line 0 ");
  await user.click(screen.getByRole("button", { name: "show what came before" }));
  expect(screen.getByText(/line 399/)).toHaveTextContent("line 0 line 1");
  expect(screen.getByText("only the end of it was kept")).toBeVisible();
});

test("an edit that is still running shows the wanted change", async () => {
  const diff = [{ path: "a.rs", unified: "@@ -1,1 +1,2 @@\n-a\n+b\n+c" }];
  const { user } = renderApp(anApp(), <ToolCard body={tool({ purpose: { type: "edit", diff } })} />);
  expect(screen.getByRole("button")).toHaveTextContent("Edita.rs+2 −1running…");
  await user.click(screen.getByRole("button"));
  expect(screen.getByRole("table")).toBeVisible();
});

test("a list of things to do is open and says how far each is", () => {
  const items = [
    { text: "write it", state: "done" as const },
    { text: "test it", state: "doing" as const },
  ];
  render(<ToolCard body={tool({ purpose: { type: "todos", items } })} />);
  expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    "●write itdone",
    "◐test itbeing done",
  ]);
});

test("a question shows what was answered", () => {
  const purpose = { type: "questions" as const, questions: [{ question: "Which?", options: ["a", "b"] }] };
  const result = { ok: true, output: "for the model", answers: [{ question: "Which?", answer: "b" }] };
  render(<ToolCard body={tool({ purpose, result })} />);
  expect(screen.getByText("Which?")).toBeVisible();
  expect(screen.getByText("b", { selector: "strong" })).toBeVisible();
  expect(screen.queryByText("for the model")).toBeNull();
});
