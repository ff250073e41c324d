/* What becomes of a message, as it is told under the chat. */
import { act, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { FirstMessage } from "@/features/chat/first-message";
import { MessageList } from "@/features/chat/message-list";
import { OutboxList } from "@/features/chat/outbox-list";
import { RequestFailed } from "@/lib/request-failed";
import type { Outgoing } from "@/state/outbox";
import { aMessage, anApp, aSession } from "@/testing/builders";
import { renderApp } from "@/testing/render-app";
import type { ReplyData } from "@/wire/protocol";

const outgoing: Outgoing = {
  key: "k1",
  sessionId: "s1",
  text: "hello",
  files: [],
  at: Date.now(),
  status: "waiting",
};
const lost = { type: "lost", since: 1 } as const;

test("a message is there the moment it is sent, and stays until the conversation tells of it", () => {
  const never = new RequestFailed("session-busy", "");
  const app = anApp({ sessions: { s1: aSession() } }, () => never);
  renderApp(app, <OutboxList sessionId="s1" editable />);
  act(() => app.verbs.sendText("s1", "hello"));
  expect(screen.getByText("hello")).toBeInTheDocument();
  const key = app.store.getState().outbox[0]?.key ?? "";
  act(() => app.store.dispatch({ type: "outgoing-taken", key, at: Date.now() }));
  expect(screen.getByText("hello")).toBeInTheDocument();
  const message = { ...aMessage("m1", "hello"), role: "user" as const };
  const told = { type: "message", sessionId: "s1", message } as const;
  act(() => app.store.dispatch({ type: "event", seq: 11, event: told }));
  expect(screen.queryByText("hello")).toBeNull();
});

test("what may have arrived says so, and cannot be edited into a second message", () => {
  const app = anApp({ connection: lost, outbox: [{ ...outgoing, unsure: true }] });
  renderApp(app, <OutboxList sessionId="s1" editable />);
  expect(screen.getByRole("status")).toHaveTextContent("may have arrived");
  expect(screen.queryByRole("button", { name: /Edit/ })).toBeNull();
  expect(screen.getByRole("button", { name: "Do not send hello again" })).toBeInTheDocument();
});

test("what was never sent says that, and can be edited", () => {
  renderApp(anApp({ connection: lost, outbox: [outgoing] }), <OutboxList sessionId="s1" editable />);
  expect(screen.getByRole("status")).toHaveTextContent("not sent yet");
  expect(screen.getByRole("button", { name: "Edit hello" })).toBeInTheDocument();
});

test("a first message is put before what stands in the composer", async () => {
  const session = aSession({ firstMessage: { text: "fix it", problem: "no echo" } });
  const app = anApp({ sessions: { s1: session }, drafts: { s1: "and test it" } });
  const { user } = renderApp(app, <FirstMessage session={session} />);
  await user.click(screen.getByRole("button", { name: "Put it into the composer" }));
  expect(app.store.getState().drafts).toEqual({ s1: "fix it\nand test it" });
});

test("a chat that could not be loaded loads by itself when the connection is back", async () => {
  let reply: ReplyData | Error = new RequestFailed("timeout", "The server did not reply in time.");
  const session = aSession();
  const app = anApp({ sessions: { s1: session }, viewing: ["s1"] }, () => reply);
  renderApp(app, <MessageList session={session} target={undefined} />);
  expect(await screen.findByRole("alert")).toHaveTextContent("did not reply");
  reply = { type: "messages", messages: [aMessage("m1", "here again")], atStart: true, atEnd: true };
  act(() => app.store.dispatch({ type: "connection", connection: lost }));
  act(() => app.store.dispatch({ type: "connection", connection: { type: "live" } }));
  expect(await screen.findByText("here again")).toBeInTheDocument();
});
