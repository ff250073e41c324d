import { act, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Composer } from "@/features/chat/composer";
import { anApp, aSession } from "@/testing/builders";
import { renderApp } from "@/testing/render-app";

class FakeRecognition {
  static last: FakeRecognition | null = null;
  onresult: ((event: { results: { transcript: string }[][] }) => void) | null = null;
  onerror: ((event: { error: string }) => void) | null = null;
  onend: (() => void) | null = null;
  start = () => {
    FakeRecognition.last = this;
  };
  abort = vi.fn();
  hear(...texts: string[]) {
    act(() => this.onresult?.({ results: texts.map((transcript) => [{ transcript }]) }));
  }
}

beforeEach(() => {
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("webkitSpeechRecognition", FakeRecognition);
  FakeRecognition.last = null;
});

afterEach(() => {
  vi.stubGlobal("webkitSpeechRecognition", undefined);
  Reflect.deleteProperty(window, "webkitSpeechRecognition");
});

function show(dictation: boolean) {
  const app = anApp({ sessions: { s1: aSession() } });
  app.store.dispatch({ type: "preferences", preferences: { dictation } });
  return { app, ...renderApp(app, <Composer session={aSession()} />) };
}

const mic = () => screen.getByRole("button", { name: "Dictate", pressed: false });

test("what is heard stands in the composer, and nothing is sent by itself", async () => {
  const { app, user } = show(true);
  await user.click(mic());
  await screen.findByText("Listening…");
  FakeRecognition.last?.hear("run the", " tests");
  expect(screen.getByRole("textbox", { name: "Message" })).toHaveValue("run the tests");
  expect(app.store.getState().outbox).toEqual([]);
  // What is said after it was sent belongs to no message.
  const said = FakeRecognition.last;
  await user.click(screen.getByRole("button", { name: "Send" }));
  expect(said?.abort).toHaveBeenCalled();
  said?.hear("and more");
  expect(screen.getByRole("textbox", { name: "Message" })).toHaveValue("");
});

test("the first time it is said who may hear it, and nothing listens before", async () => {
  const { app, user } = show(false);
  await user.click(mic());
  const group = await screen.findByRole("group", { name: "Dictation" });
  expect(group).toHaveTextContent("send what is said to their maker");
  expect(FakeRecognition.last).toBeNull();
  await user.click(
    screen.getAllByRole("button", { name: "Dictate" }).find((each) => group.contains(each)) ?? group,
  );
  expect(FakeRecognition.last).not.toBeNull();
  expect(app.store.getState().preferences.dictation).toBe(true);
});

test("what went wrong is said", async () => {
  const { user } = show(true);
  await user.click(mic());
  await screen.findByText("Listening…");
  act(() => {
    FakeRecognition.last?.onerror?.({ error: "not-allowed" });
    FakeRecognition.last?.onend?.();
  });
  expect(screen.getByText(/does not let this page use the microphone/)).toBeInTheDocument();
});

test("without recognition there is no button for it", () => {
  Reflect.deleteProperty(window, "webkitSpeechRecognition");
  show(true);
  expect(screen.queryByRole("button", { name: "Dictate" })).toBeNull();
});
