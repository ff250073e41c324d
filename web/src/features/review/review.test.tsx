/* Reviews: of whom, and back to whom. */
import { screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { ReviewButton } from "@/features/review/review-button";
import { ReviewList } from "@/features/review/review-list";
import { SendBack } from "@/features/review/send-back";
import { aMessage, anApp, aSession } from "@/testing/builders";
import { renderApp } from "@/testing/render-app";

afterEach(() => {
  location.hash = "";
});

const parent = aSession({ reviews: [{ id: "r", reviewer: "s2", subject: "Plan", createdAt: 1 }] });
const reviewer = aSession({ id: "s2", name: "reviewer", adapter: "codex" });
const sessions = { s1: parent, s2: reviewer };

test("what is reviewed is drafted as the work of the session that wrote it", async () => {
  const app = anApp({ sessions, viewing: ["s2"] });
  const { user } = renderApp(app, <ReviewButton sessionId="s1" subject="Plan" text="the plan" />);
  await user.click(screen.getByRole("button", { name: "review with…" }));
  expect(app.store.getState().reviewDraft).toEqual({ sessionId: "s1", subject: "Plan", text: "the plan" });
  expect(location.hash).toBe("#/s/s1/review");
});

test("a review on the list is one link without a button in it", () => {
  renderApp(anApp({ sessions }), <ReviewList session={parent} />);
  expect(within(screen.getByRole("link")).queryByRole("button")).toBeNull();
});

test("a review goes back through the outbox, once, and leaves the composer alone", async () => {
  const messages = [aMessage("m1", "Looks wrong.")];
  const conversations = { s2: { messages, atStart: true, atEnd: true, stale: false } };
  const app = anApp({
    sessions,
    conversations,
    drafts: { s1: "half" },
    connection: { type: "lost", since: 1 },
  });
  const { user } = renderApp(app, <SendBack parent="s1" reviewer="s2" onSent={() => undefined} />);
  await user.click(screen.getByRole("button", { name: "Send the review back" }));
  await user.type(screen.getByRole("textbox", { name: "Review to send back" }), " Indeed.");
  expect(app.store.getState().drafts["s2 back"]).toMatch(/Looks wrong\.[\s\S]* Indeed\.$/);
  await user.click(screen.getByRole("button", { name: "Send back" }));
  const [outgoing, ...others] = app.store.getState().outbox;
  expect(others).toEqual([]);
  expect(outgoing).toMatchObject({ sessionId: "s1", status: "waiting" });
  expect(outgoing?.text).toMatch(/Looks wrong\.[\s\S]* Indeed\.$/);
  expect(app.store.getState().drafts).toEqual({ s1: "half" });
});
