import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { NewSessionPage } from "@/features/new-session/new-session-page";
import { RequestFailed } from "@/lib/request-failed";
import { anAdapter, anApp } from "@/testing/builders";
import { pass, renderApp } from "@/testing/render-app";
import type { Command, ReplyData } from "@/wire/protocol";
import type { ConversationInfo, StartSession } from "@/wire/session";

const adapters = [
  anAdapter("claude", {
    name: "Claude Code",
    modes: ["ask", "bypass"],
    version: "2.1.325",
    models: ["opus", "sonnet"],
  }),
  anAdapter("gemini", { name: "Gemini CLI", installed: false }),
  anAdapter("generic", { name: "Any program", isAgent: false, takesCommand: true }),
];

const earlier: ConversationInfo[] = [
  {
    adapter: "claude",
    id: "c1",
    folder: "/home/me/docs",
    title: "Make the tests pass",
    updatedAt: 1000,
    size: 4096,
    messages: 12,
  },
];

function open(start: ReplyData | Error = { type: "started", sessionId: "s9" }) {
  const reply = (command: Command): ReplyData | Error => {
    if (command.type === "conversations") return { type: "conversations", conversations: earlier };
    if (command.type !== "browse") return start;
    return {
      type: "folders",
      folder: command.folder || "/home/me",
      names: ["shop"],
      recent: ["/home/me/docs"],
      roots: ["/home/me"],
    };
  };
  const app = anApp({ adapters }, reply);
  const started = () =>
    app.sent.flatMap((command) => (command.type === "start" ? [withoutKey(command.start)] : []));
  return { app, started, ...renderApp(app, <NewSessionPage />) };
}

function withoutKey({ idempotencyKey, ...start }: StartSession): Omit<StartSession, "idempotencyKey"> {
  expect(idempotencyKey).toEqual(expect.any(String));
  return start;
}

const button = (name: string) => screen.getByRole("button", { name });

test("a program, a folder found by walking, and off it goes", async () => {
  const { user, started } = open();
  expect(screen.queryByRole("radio", { name: "Gemini CLI" })).toBeNull();
  expect(screen.getByText("Not installed: Gemini CLI")).toBeInTheDocument();
  await user.click(screen.getByRole("radio", { name: "Any program" }));
  await user.type(screen.getByRole("textbox", { name: "Command" }), "npm run 'my dev'");
  await user.click(button("Browse"));
  await user.click(await screen.findByRole("button", { name: "shop" }));
  expect(screen.getByRole("textbox", { name: "Folder" })).toHaveValue("/home/me/shop");
  await user.click(button("Start"));
  expect(started()).toEqual([
    { adapter: "generic", folder: "/home/me/shop", command: ["npm", "run", "my dev"] },
  ]);
  expect(location.hash).toBe("#/s/s9");
});

test("never asking takes a second tap", async () => {
  const { user, started } = open();
  await user.type(screen.getByRole("textbox", { name: "Folder" }), "~");
  await user.click(screen.getByRole("radio", { name: "Never ask" }));
  await user.click(button("Start"));
  expect(started()).toEqual([]);
  pass(500);
  await user.click(button("Tap again: start and never ask me"));
  expect(started()).toEqual([{ adapter: "claude", folder: "~", mode: "bypass" }]);
});

test("a refusal is shown and nothing is lost", async () => {
  const { user } = open(new RequestFailed("bad-folder", "There is no such folder."));
  await user.click(await screen.findByRole("button", { name: "docs" }));
  await user.click(button("Start"));
  expect(await screen.findByRole("alert")).toHaveTextContent("There is no such folder.");
  expect(screen.getByRole("textbox", { name: "Folder" })).toHaveValue("/home/me/docs");
  expect(button("Start")).toBeEnabled();
});

test("an earlier conversation is gone on with in its folder, also when never asking needs a second tap", async () => {
  const { user, started, app } = open();
  await user.click(await screen.findByRole("button", { name: "docs" }));
  const conversation = await screen.findByRole("button", { name: /Make the tests pass/ });
  expect(conversation).toHaveTextContent("12 messages");
  expect(app.sent).toContainEqual({ type: "conversations", adapter: "claude", folder: "/home/me/docs" });
  await user.click(screen.getByRole("radio", { name: "Never ask" }));
  await user.click(conversation);
  expect(started()).toEqual([]);
  pass(500);
  await user.click(button("Tap again: start and never ask me"));
  expect(started()).toEqual([{ adapter: "claude", folder: "/home/me/docs", mode: "bypass", resume: "c1" }]);
  expect(location.hash).toBe("#/s/s9");
});

test("a model, a favourite folder and a first message go along, and what can be remembered is", async () => {
  const { user, started } = open();
  expect(screen.getByText("2.1.325")).toBeInTheDocument();
  await user.type(screen.getByRole("textbox", { name: "Folder" }), "/srv/x");
  await user.click(button("Favourite"));
  expect(screen.getByRole("button", { name: "x" })).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "opus" }));
  await user.type(screen.getByRole("textbox", { name: "First message (optional)" }), "fix it");
  await user.click(button("Start"));
  expect(started()).toEqual([
    { adapter: "claude", folder: "/srv/x", mode: "ask", model: "opus", message: "fix it" },
  ]);
  expect(localStorage.getItem("answerback.new-session")).toContain('"claude":"opus"');
  expect(localStorage.getItem("answerback.new-session")).not.toContain("fix it");
});

test("a reply that got lost does not start a second session", async () => {
  const { user, app } = open(new RequestFailed("timeout", "The server did not reply in time."));
  await user.type(screen.getByRole("textbox", { name: "Folder" }), "~");
  await user.click(button("Start"));
  await screen.findByRole("alert");
  await user.click(button("Start"));
  const keys = app.sent.flatMap((command) =>
    command.type === "start" ? [command.start.idempotencyKey] : [],
  );
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});

test("a folder is trusted only where the box was ticked for it", async () => {
  const { user, started } = open(new RequestFailed("bad-folder", "No."));
  const folder = screen.getByRole("textbox", { name: "Folder" });
  const trust = () => screen.getByRole("checkbox", { name: "Trust this folder" });
  await user.type(folder, "~");
  expect(trust()).not.toBeChecked();
  await user.click(trust());
  await user.click(button("Start"));
  expect(started().at(-1)).toMatchObject({ trustFolder: true });
  await user.type(folder, "/other");
  expect(trust()).not.toBeChecked();
  await user.click(button("Start"));
  expect(started().at(-1)).not.toHaveProperty("trustFolder");
  await user.click(screen.getByRole("radio", { name: "Any program" }));
  expect(screen.queryByRole("checkbox", { name: "Trust this folder" })).toBeNull();
});
