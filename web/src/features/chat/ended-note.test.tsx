import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { EndedNote } from "@/features/chat/ended-note";
import { RequestFailed } from "@/lib/request-failed";
import { anApp, aSession } from "@/testing/builders";
import { renderApp } from "@/testing/render-app";
import type { ReplyData } from "@/wire/protocol";
import type { Session } from "@/wire/session";

function ended(parts: Partial<Session>, reply: ReplyData | Error = { type: "started", sessionId: "s9" }) {
  const app = anApp({}, () => reply);
  return { app, ...renderApp(app, <EndedNote session={aSession(parts)} reason={{ type: "killed" }} />) };
}

test("a conversation that is known is resumed in its place with one tap", async () => {
  const { app, user } = ended({ conversation: "c1" });
  await user.click(screen.getByRole("button", { name: "Resume" }));
  expect(app.sent).toEqual([{ type: "resume", sessionId: "s1" }]);
});

test("why it cannot be resumed is said", async () => {
  const { user } = ended(
    { conversation: "c1" },
    new RequestFailed("bad-value", "There is no such conversation."),
  );
  await user.click(screen.getByRole("button", { name: "Resume" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("There is no such conversation.");
});

test("without a conversation there is nothing to resume", () => {
  ended({});
  expect(screen.queryByRole("button", { name: "Resume" })).toBeNull();
});
