import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Folds } from "@/features/chat/folds";
import { ToolCard } from "@/features/chat/tool-card";
import type { ToolBody } from "@/words/tool-words";
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
    <ToolCard
      id="m1"
      sessionId="s1"
      body={tool({ purpose: { type: "command", command: "make" }, summary: "Build it", result })}
    />,
  );
  expect(screen.getByText("exit 2")).toBeVisible();
  expect(screen.queryByText(/line 399/)).toBeNull();
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: /make/ }));
  expect(await screen.findByText("Build it")).toBeVisible();
  expect(screen.getByText(/line 399/)).not.toHaveTextContent("line 0 ");
  await user.click(screen.getByRole("button", { name: "show all 400 lines" }));
  expect(screen.getByText(/line 399/)).toHaveTextContent("line 0 line 1");
  expect(screen.getByText("only the end of it was kept")).toBeVisible();
});

test("an edit that is still running shows the wanted change", async () => {
  const diff = [{ path: "a.rs", unified: "@@ -1,1 +1,2 @@\n-a\n+b\n+c" }];
  const { user } = renderApp(
    anApp(),
    <ToolCard id="m1" sessionId="s1" body={tool({ purpose: { type: "edit", diff } })} />,
  );
  expect(screen.getByRole("button")).toHaveTextContent("Edita.rs+2 −1running…");
  await user.click(screen.getByRole("button"));
  expect(await screen.findByRole("table")).toBeVisible();
});

test("a list of things to do is open and says how far each is", async () => {
  const items = [
    { text: "write it", state: "done" as const },
    { text: "test it", state: "doing" as const },
  ];
  render(<ToolCard id="m1" sessionId="s1" body={tool({ purpose: { type: "todos", items } })} />);
  expect((await screen.findAllByRole("listitem")).map((item) => item.textContent)).toEqual([
    "●write itdone",
    "◐test itbeing done",
  ]);
});

test("a question shows what was answered", async () => {
  const purpose = { type: "questions" as const, questions: [{ question: "Which?", options: ["a", "b"] }] };
  const result = { ok: true, output: "for the model", answers: [{ question: "Which?", answer: "b" }] };
  render(<ToolCard id="m1" sessionId="s1" body={tool({ purpose, result })} />);
  expect(await screen.findByText("Which?")).toBeVisible();
  expect(screen.getByText("b", { selector: "strong" })).toBeVisible();
  expect(screen.queryByText("for the model")).toBeNull();
});

test("a search, a page on the web and a file say in full what was given", async () => {
  const result = { ok: true, output: "12 matches" };
  const long = "a/very/long/path/that/no/line/has/room/for.rs";
  const table = [
    { purpose: { type: "search" as const, query: "fn main", place: long }, words: `fn main in ${long}` },
    { purpose: { type: "web" as const, target: "https://example.org/x" }, words: "https://example.org/x" },
    { purpose: { type: "read" as const, path: long }, words: long },
  ];
  for (const { purpose, words } of table) {
    const { container, unmount } = render(
      <ToolCard id="m1" sessionId="s1" body={tool({ purpose, result })} />,
    );
    await userEvent.setup().click(screen.getByRole("button"));
    expect(await screen.findByText("12 matches")).toBeVisible();
    expect(container.querySelector(".tool__given")).toHaveTextContent(words);
    if (purpose.type === "web") expect(screen.getByRole("link")).toHaveAttribute("href", purpose.target);
    unmount();
  }
});

/** In whose eyes everything is in view. */
class SeesAll {
  constructor(private readonly tell: (entries: { isIntersecting: boolean }[]) => void) {}
  observe() {
    this.tell([{ isIntersecting: true }]);
  }
  disconnect() {
    // There is nothing to stop.
  }
}

test("a picture that a tool gave back is fetched from the session, and no address is made of its name", async () => {
  const images = [{ id: "../5f", mediaType: "image/png" }];
  const result = { ok: true, output: "", images };
  const fetch = vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response("a picture"));
  vi.stubGlobal("IntersectionObserver", SeesAll);
  URL.createObjectURL = () => "blob:picture";
  URL.revokeObjectURL = () => undefined;
  const { container } = renderApp(
    anApp(),
    <ToolCard id="m1" sessionId="s1" body={tool({ purpose: { type: "read", path: "a.png" }, result })} />,
  );
  expect(container.querySelector("img")).toBeNull();
  await userEvent.setup().click(screen.getByRole("button"));
  await vi.waitFor(() => expect(fetch).toHaveBeenCalled());
  expect(fetch.mock.calls[0]?.[0]).toBe("/api/sessions/s1/images/..%2F5f");
  await vi.waitFor(() => expect(container.querySelector("img")).toHaveAttribute("src", "blob:picture"));
  vi.unstubAllGlobals();
});

test("a plan is markdown, a command that runs says so", async () => {
  const { user } = renderApp(
    anApp(),
    <ToolCard id="m1" sessionId="s1" body={tool({ purpose: { type: "plan", plan: "# Do it\n\n1. now" } })} />,
  );
  await user.click(screen.getByRole("button", { name: /Plan/ }));
  expect(await screen.findByRole("heading", { name: "Do it" })).toBeVisible();
});

test("what was unfolded stays so while it is scrolled away", async () => {
  const folds = new Map<string, boolean>();
  const card = (
    <Folds value={folds}>
      <ToolCard id="m1" sessionId="s1" body={tool({ purpose: { type: "read", path: "a.rs" } })} />
    </Folds>
  );
  const { unmount } = render(card);
  await userEvent.setup().click(screen.getByRole("button"));
  unmount();
  render(card);
  expect(screen.getByRole("button")).toHaveAttribute("aria-expanded", "true");
});
