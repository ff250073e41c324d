/* What may be left alone, above the composer. */
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { ChatAside } from "@/app/chat-aside";
import { RequestFailed } from "@/lib/request-failed";
import { anApp, anOption, aPrompt, aSession } from "@/testing/builders";
import { pass, renderApp } from "@/testing/render-app";
import type { Command, ReplyData } from "@/wire/protocol";

const prompt = aPrompt({
  type: "question",
  title: "How is Claude doing this session? (optional)",
  options: [anOption("Bad"), anOption("Good"), anOption("Dismiss")],
  optional: true,
});

function open(sessionId: string, reply?: (command: Command) => ReplyData | Error) {
  const app = anApp({ sessions: { s1: aSession() }, asides: [{ prompt }] }, reply);
  return { app, ...renderApp(app, <ChatAside sessionId={sessionId} />) };
}

const card = () => screen.findByRole("region", { name: prompt.title });
const button = (name: string) => screen.findByRole("button", { name });

test("a tap answers once and locks the buttons", async () => {
  const { app, user } = open("s1");
  expect(await card()).toBeInTheDocument();
  const good = await button("Good");
  pass(500);
  await user.click(good);
  expect(app.sent).toMatchObject([
    { type: "respond", response: { requestId: "p1", selectedOption: "Good" } },
  ]);
  expect(await button("Bad")).toBeDisabled();
  expect(screen.getByText("sending…")).toBeInTheDocument();
});

test("a refusal says why and unlocks", async () => {
  const { user } = open("s1", () => new RequestFailed("prompt-gone", "This prompt is over."));
  const good = await button("Good");
  pass(500);
  await user.click(good);
  expect(await screen.findByText("This prompt is over.")).toBeInTheDocument();
  expect(await button("Good")).toBeEnabled();
});

test("it belongs to its own chat", () => {
  const { container } = open("s2");
  expect(container).toBeEmptyDOMElement();
});
