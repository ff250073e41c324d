/* Reviews: of whom, and back to whom. */
import { screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { ReviewButton } from "@/features/review/review-button";
import { ReviewCard } from "@/features/review/review-card";
import { ReviewList } from "@/features/review/review-list";
import { SendBack } from "@/features/review/send-back";
import { aMessage, anApp, aSession } from "@/testing/builders";
import { pass, renderApp } from "@/testing/render-app";

afterEach(() => {
  location.hash = "";
});

const review = { id: "r", reviewer: "s2", subject: "Plan", createdAt: 1 };
const parent = aSession({ reviews: [review] });
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
  const { user } = renderApp(app, <SendBack parent="s1" reviewer="s2" onDone={() => undefined} />);
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

test("the card says how far the review is, and ends the session that was begun for it", async () => {
  const begun = { ...reviewer, createdAt: 2 };
  const app = anApp({ sessions: { s1: parent, s2: begun } });
  const { user } = renderApp(app, <ReviewCard session={parent} review={review} />);
  expect(screen.getByRole("region", { name: "Review" })).toHaveTextContent(/Codex.*reviews this.*done.*Plan/);
  expect(screen.getByRole("link", { name: "See both" })).toHaveAttribute("href", "#/s/s1/review/s2");
  await user.click(screen.getByRole("button", { name: "End review" }));
  expect(app.sent).toEqual([]);
  pass(500);
  await user.click(screen.getByRole("button", { name: "Tap again: stop the reviewer" }));
  expect(app.sent).toEqual([{ type: "end", sessionId: "s2" }]);
});

test("a session that was there before its review is not ended with it", () => {
  const before = { ...reviewer, createdAt: 0 };
  renderApp(anApp({ sessions: { s1: parent, s2: before } }), <ReviewCard session={before} review={review} />);
  expect(screen.getByRole("region", { name: "Review" })).toHaveTextContent("asked for a review of shop-api");
  expect(screen.queryByRole("button", { name: "End review" })).toBeNull();
});
