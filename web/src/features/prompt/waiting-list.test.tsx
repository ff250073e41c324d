import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { WaitingList } from "@/features/prompt/waiting-list";
import { anApp, anOption, aPrompt, aSession } from "@/testing/builders";
import { renderApp } from "@/testing/render-app";

const prompts = [
  {
    prompt: aPrompt({
      requestId: "old",
      title: "Old",
      createdAt: 1,
      options: [anOption("y", { label: "Yes" }), anOption("n", { label: "No" })],
    }),
  },
  {
    prompt: aPrompt({
      requestId: "new",
      title: "New",
      createdAt: 2,
      options: [anOption("a", { label: "Always", role: "allow-always" })],
    }),
  },
];

test("the newest is on top; a plain choice is answered on its card, others open the sheet", async () => {
  const app = anApp({ sessions: { s1: aSession() }, prompts });
  const { user } = renderApp(app, <WaitingList />);
  const [first, second] = screen.getAllByRole("article");
  expect(first).toHaveAccessibleName("New");
  expect(second).toHaveAccessibleName("Old");

  expect(screen.queryByRole("button", { name: "Always" })).not.toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "New" }));
  expect(app.store.getState().sheet.shown).toBe("new");

  if (!second) return;
  await user.click(within(second).getByRole("button", { name: "No" }));
  expect(app.sent).toMatchObject([{ type: "respond", response: { requestId: "old", selectedOption: "n" } }]);
  expect(within(second).getByRole("button", { name: "Yes" })).toBeDisabled();
  expect(within(second).getByRole("status")).toHaveTextContent("sending…");
});

test("nothing waits, nothing is shown", () => {
  const { container } = renderApp(anApp(), <WaitingList />);
  expect(container).toBeEmptyDOMElement();
});
