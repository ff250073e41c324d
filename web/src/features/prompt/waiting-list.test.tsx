import { act, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { WaitingList } from "@/features/prompt/waiting-list";
import { anApp, anOption, aPrompt, aSession } from "@/testing/builders";
import { pass, renderApp } from "@/testing/render-app";
import type { InteractivePrompt } from "@/wire/prompt";

const yesNo = [anOption("y", { label: "Yes" }), anOption("n", { label: "No" })];
const old = aPrompt({ requestId: "old", title: "Old", createdAt: 1, options: yesNo });
const fresh = aPrompt({
  requestId: "new",
  title: "New",
  createdAt: 2,
  options: [anOption("a", { label: "Always", role: "allow-always" })],
});

function show(...prompts: InteractivePrompt[]) {
  const app = anApp({ sessions: { s1: aSession() }, prompts: prompts.map((prompt) => ({ prompt })) });
  return { app, ...renderApp(app, <WaitingList />) };
}

function card(title: string) {
  return within(screen.getByRole("article", { name: title }));
}

test("the oldest is on top; a plain choice is answered on its card, others open the sheet", async () => {
  const { app, user } = show(old, fresh);
  const names = screen.getAllByRole("article").map((each) => each.textContent);
  expect(names[0]).toContain("Old");
  expect(names[1]).toContain("New");

  expect(screen.queryByRole("button", { name: "Always" })).not.toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "New" }));
  expect(app.store.getState().sheet.shown).toBe("new");

  pass(500);
  await user.click(card("Old").getByRole("button", { name: "No" }));
  expect(app.sent).toMatchObject([{ type: "respond", response: { requestId: "old", selectedOption: "n" } }]);
  expect(card("Old").getByRole("button", { name: "Yes" })).toBeDisabled();
  expect(card("Old").getByRole("status")).toHaveTextContent("sending…");
});

test("a tap that comes with a new prompt, or with another that goes, is not taken", async () => {
  const { app, user } = show(old);
  pass(500);
  act(() => app.store.dispatch({ type: "event", seq: 11, event: { type: "prompt", prompt: fresh } }));
  await user.click(card("Old").getByRole("button", { name: "Yes" }));
  expect(app.sent).toEqual([]);
  pass(350);
  await user.click(card("Old").getByRole("button", { name: "Yes" }));
  expect(app.sent).toHaveLength(1);
});

test("what does not all fit on the card has no buttons", () => {
  const height = vi.spyOn(Element.prototype, "scrollHeight", "get").mockReturnValue(80);
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(40);
  show({ ...old, toolInput: { command: "echo step\n".repeat(40) } });
  expect(height).toHaveBeenCalled();
  expect(card("Old").queryByRole("button", { name: "Yes" })).toBeNull();
  expect(card("Old").getByRole("button", { name: "Old" })).toBeInTheDocument();
});

test("a permission of a real CLI has yes and no on its card, and all its fields", () => {
  const options = [
    anOption("yes", { label: "Yes", role: "allow" }),
    anOption("always", { label: "Yes, and don't ask again", role: "allow-always" }),
    anOption("no", { label: "No", role: "deny" }),
  ];
  show({ ...old, options, toolInput: { command: "restart", host: "prod-db" }, description: "Wakes it up" });
  const names = card("Old")
    .getAllByRole("button")
    .map((button) => button.textContent);
  expect(names.slice(1)).toEqual(["Yes", "No", "more"]);
  expect(card("Old").getByText("host: prod-db")).toBeInTheDocument();
  expect(card("Old").getByText(/Claude: “Wakes it up”/)).toBeInTheDocument();
});

test("a card names the tool, unless its title does", () => {
  const toolInput = { note: "all" };
  show({ ...old, toolName: "mcp__notes__wipe", toolInput }, { ...fresh, toolName: "New" });
  expect(card("Old").getByText("mcp__notes__wipe")).toBeInTheDocument();
  expect(card("New").queryByText("New", { selector: ".waiting-card__tool" })).toBeNull();
});

test("nothing waits, nothing is shown", () => {
  const { container } = renderApp(anApp(), <WaitingList />);
  expect(container).toBeEmptyDOMElement();
});
