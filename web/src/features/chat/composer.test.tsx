import { act, fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { Composer } from "@/features/chat/composer";
import { RequestFailed } from "@/lib/request-failed";
import { PREFERENCES, type State } from "@/state/state";
import { anApp, aPrompt, aSession } from "@/testing/builders";
import { renderApp } from "@/testing/render-app";
import type { Session } from "@/wire/session";
import type { Command, ReplyData } from "@/wire/protocol";

function open(
  session: Partial<Session> = {},
  state: Partial<State> = {},
  reply?: (c: Command) => ReplyData | Error,
) {
  const app = anApp(state, reply);
  return { app, ...renderApp(app, <Composer session={aSession(session)} />) };
}

const field = () => screen.getByRole("textbox", { name: "Message" });

test("Enter sends at a desk, Shift+Enter makes a line, and the field is empty afterwards", async () => {
  const { app, user } = open();
  await user.type(field(), "one{Shift>}{Enter}{/Shift}two{Enter}");
  expect(app.sent).toEqual([
    {
      type: "send-text",
      sessionId: "s1",
      text: "one\ntwo",
      idempotencyKey: expect.any(String) as string,
    },
  ]);
  expect(field()).toHaveValue("");
});

test("Enter makes a line where the person wants it so", async () => {
  const { app, user } = open({}, { preferences: { ...PREFERENCES, enter: "newline" } });
  await user.type(field(), "one{Enter}two");
  expect(app.sent).toEqual([]);
  expect(field()).toHaveValue("one\ntwo");
});

test("a refused message stays, with the reason and the way to the prompt", async () => {
  const refusal = new RequestFailed("dialog-open", "A dialog is open: answer it first.");
  const { app, user } = open({}, { prompts: [{ prompt: aPrompt() }] }, () => refusal);
  await user.type(field(), "hello");
  await user.click(screen.getByRole("button", { name: "Send" }));
  expect(field()).toHaveValue("hello");
  expect(screen.getByRole("alert")).toHaveTextContent("A dialog is open: answer it first.");
  await user.click(screen.getByRole("button", { name: "Open the prompt" }));
  expect(app.store.getState().sheet.shown).toBe("p1");
});

test("while it works there is a way to stop it", async () => {
  const { app, user } = open({ state: { type: "busy", detail: "" } });
  await user.click(screen.getByRole("button", { name: "Stop" }));
  expect(app.sent).toEqual([{ type: "interrupt", sessionId: "s1" }]);
});

const commands: ReplyData = {
  type: "slash-commands",
  commands: [
    { name: "clear", description: "begin anew", origin: "built-in" },
    { name: "compact", description: "shorten", origin: "built-in" },
    { name: "deploy-clear", description: "", origin: "project" },
  ],
};

test("commands are walked with the keys, and Enter takes one before it sends", async () => {
  const { app, user } = open({}, {}, (command) =>
    command.type === "slash-commands" ? commands : { type: "done" },
  );
  await user.type(field(), "/cle");
  const options = await screen.findAllByRole("option");
  expect(options.map(({ textContent }) => textContent)).toEqual([
    "/clearbegin anew",
    "/deploy-clearno description · this project’s",
  ]);
  await user.keyboard("{ArrowDown}{ArrowDown}{Enter}");
  expect(field()).toHaveValue("/clear ");
  expect(screen.queryByRole("option")).toBeNull();
  await user.keyboard("{Enter}");
  expect(app.sent.at(-1)).toMatchObject({ type: "send-text", text: "/clear " });
});

test("Escape closes what is offered, and Enter then sends", async () => {
  const { app, user } = open({}, {}, (command) =>
    command.type === "slash-commands" ? commands : { type: "done" },
  );
  await user.type(field(), "/co");
  await screen.findByRole("option");
  await user.keyboard("{Escape}{Enter}");
  expect(app.sent.at(-1)).toMatchObject({ type: "send-text", text: "/co" });
});

test("the Enter that ends a composition in Safari sends nothing", () => {
  const { app } = open({}, { drafts: { s1: "にほん" } });
  fireEvent.keyDown(field(), { key: "Enter", keyCode: 229 });
  expect(app.sent).toEqual([]);
});

test("a phone that is turned gets a field of another height", () => {
  const observers: (() => void)[] = [];
  const Before = ResizeObserver;
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(callback: () => void) {
        observers.push(callback);
      }
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
  open({}, { drafts: { s1: "a long line" } });
  vi.spyOn(Element.prototype, "scrollHeight", "get").mockReturnValue(96);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(700);
  act(() => observers.forEach((tell) => tell()));
  expect(field()).toHaveStyle({ height: "98px" });
  vi.stubGlobal("ResizeObserver", Before);
});

test("files that the next letters exclude are not taken by Enter", async () => {
  const { user } = open({}, {}, (command) =>
    command.type === "files" && command.query === ""
      ? { type: "files", paths: ["src/main.rs", "README.md"] }
      : new Error("no reply yet"),
  );
  await user.type(field(), "@");
  expect(await screen.findByRole("option", { name: /main\.rs/ })).toBeInTheDocument();
  await user.type(field(), "READ");
  expect(screen.queryByRole("option", { name: /main\.rs/ })).toBeNull();
  await user.keyboard("{Enter}");
  expect(field()).toHaveValue("@README.md ");
});
