import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { Composer } from "@/features/chat/composer";
import { anApp, aSession } from "@/testing/builders";
import { renderApp } from "@/testing/render-app";
import type { SessionState } from "@/wire/session";

function show(state: SessionState = { type: "ready" }) {
  const session = aSession({ state });
  const app = anApp({ sessions: { s1: session }, drafts: { s1: "half" } });
  return { app, ...renderApp(app, <Composer session={session} />) };
}

const reply = (name: string) =>
  within(screen.getByRole("group", { name: "Quick replies" })).getByRole("button", { name });

test("a tap sends it as a message, and what stands in the composer stays", async () => {
  const { app, user } = show();
  await user.click(reply("run the tests"));
  expect(app.sent).toMatchObject([{ type: "send-text", sessionId: "s1", text: "run the tests" }]);
  expect(screen.getByRole("textbox", { name: "Message" })).toHaveValue("half");
});

test("while a prompt waits nothing goes past it", () => {
  show({ type: "waiting" });
  expect(reply("continue")).toBeDisabled();
});

test("own ones are added, kept on this device and taken away", async () => {
  const { app, user } = show();
  await user.click(reply("Edit quick replies"));
  await user.type(await screen.findByRole("textbox", { name: "New quick reply" }), "commit it{Enter}");
  await user.click(screen.getByRole("button", { name: "Remove continue" }));
  await user.click(screen.getByRole("button", { name: "Done" }));
  expect(reply("commit it")).toBeInTheDocument();
  expect(app.store.getState().preferences.quickReplies).toEqual(["run the tests", "commit it"]);
});
