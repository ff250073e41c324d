/* A page of yesterday with a server of tomorrow: what it does not know it shows plainly, and nothing blanks. */
import { act, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { Shell } from "@/app/shell";
import { Contained } from "@/components/contained";
import { AlertList } from "@/features/alerts/alert-list";
import { MessageView } from "@/features/chat/message-view";
import { guessHeight } from "@/features/chat/row-window";
import { HomePage } from "@/features/home/home-page";
import { Announcer } from "@/features/prompt/announcer";
import { PromptOverlay } from "@/features/prompt/prompt-overlay";
import { cardOptions, isDangerous } from "@/features/prompt/shape";
import { modeWords } from "@/words/mode-words";
import { toolLine } from "@/words/tool-words";
import { closingWords } from "@/words/closing-words";
import { endWords, stateWords } from "@/words/session-words";
import { aMessage, anApp, anOption, aPrompt, aSession } from "@/testing/builders";
import { renderApp } from "@/testing/render-app";
import type { MessageBody } from "@/wire/message";

afterEach(() => {
  location.hash = "";
});

const unknown = { type: "of-tomorrow", detail: "x" } as never;

test("words have a default for what they do not know", () => {
  expect(toolLine({ type: "tool", name: "Fly", summary: "far", purpose: unknown } as never)).toEqual({
    label: "Fly",
    words: "far",
  });
  expect(modeWords("of-tomorrow" as never).label).toBe("of-tomorrow");
  expect(stateWords(aSession({ state: unknown }), 0)).toBe("of-tomorrow");
  expect(endWords(unknown)).toBe("ended");
  expect(closingWords(aPrompt(), unknown, null, "Claude").text).toBe("over");
  expect(guessHeight({ type: "message", key: "m", message: aMessage("m", unknown), depth: 0 })).toBe(48);
});

test.each<MessageBody>([
  unknown,
  { type: "tool", name: "Fly", summary: "far", purpose: unknown } as never,
  {
    type: "tool",
    name: "Todo",
    summary: "",
    purpose: { type: "todos", items: [{ text: "land", state: "of-tomorrow" }] },
  } as never,
])("a message of another kind is shown all the same: %j", (body) => {
  const { container } = renderApp(
    anApp(),
    <MessageView message={aMessage("m", body)} folder="/" sessionId="s1" />,
  );
  expect(container).not.toBeEmptyDOMElement();
});

test("sessions and prompts of another kind are shown all the same", () => {
  const session = aSession({ adapter: "of-tomorrow", state: unknown, mode: "of-tomorrow" as never });
  const prompt = aPrompt({
    type: "of-tomorrow" as never,
    adapter: "of-tomorrow",
    options: [anOption("go", { label: "Go", role: "of-tomorrow" as never })],
    risk: { level: "of-tomorrow" as never, reasons: ["unclear"] },
  });
  const progress = {
    requestId: "p1",
    answer: { by: unknown, summary: "Go" },
    step: unknown,
  };
  const app = anApp({
    sessions: { s1: session },
    prompts: [{ prompt, progress }],
    sheet: { shown: "p1", lowered: [] },
  });
  renderApp(
    app,
    <>
      <HomePage needsYou={null} current={null} />
      <PromptOverlay modal />
    </>,
  );
  expect(screen.getByRole("button", { name: "Go" })).toBeInTheDocument();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("what is not known is an alert all the same, and never weighs less than what is", () => {
  const app = anApp({ alerts: [{ id: "a1", at: 1, what: unknown }] });
  renderApp(app, <AlertList />);
  expect(screen.getByRole("alert")).toHaveTextContent("this page does not know");
  const [allow, deny] = [anOption("yes", { role: "allow" }), anOption("no", { role: "deny" })];
  const options = [allow, deny];
  const risk = { level: "of-tomorrow" as never, reasons: ["unclear"] };
  expect(isDangerous(aPrompt({ options, risk }), allow)).toBe(true);
  expect(isDangerous(aPrompt({ options, risk }), deny)).toBe(false);
  expect(cardOptions(aPrompt({ options }))).toEqual(options);
  expect(cardOptions(aPrompt({ options, confidence: "of-tomorrow" as never }))).toEqual([]);
  expect(cardOptions(aPrompt({ options, risk }))).toEqual([]);
});

test("a part that fails leaves the rest, and a way to the terminal", () => {
  vi.spyOn(console, "error").mockReturnValue(undefined);
  function Broken(): never {
    throw new Error("of tomorrow");
  }
  renderApp(
    anApp(),
    <>
      <Contained what="this message" sessionId="s1">
        <Broken />
      </Contained>
      <p>the rest</p>
    </>,
  );
  expect(screen.getByText("the rest")).toBeInTheDocument();
  expect(screen.getByRole("alert")).toHaveTextContent("The page could not show this message.");
  expect(screen.getByRole("link", { name: "Open terminal" })).toHaveAttribute("href", "#/s/s1/terminal");
});

test("a prompt that cannot be drawn does not take the page along", () => {
  vi.spyOn(console, "error").mockReturnValue(undefined);
  const broken = { ...aPrompt({ title: "Broken" }), options: "of tomorrow" as never };
  const app = anApp({ sessions: { s1: aSession() }, prompts: [{ prompt: broken }] });
  renderApp(app, <Shell />);
  expect(screen.getByRole("heading", { name: "Answerback" })).toBeInTheDocument();
  expect(screen.getByRole("region", { name: "Needs you" })).toHaveTextContent("could not show this prompt");
});

test("the chat's address alone says what is open", () => {
  location.hash = "#/s/s1/review/s2";
  const app = anApp({ sessions: { s1: aSession(), s2: aSession({ id: "s2" }) } });
  renderApp(app, <Shell />);
  expect(app.store.getState().viewing).toEqual(["s1", "s2"]);
});

test("what ends makes no other prompt new, and what has the focus is not said twice", () => {
  const prompts = ["p1", "p2"].map((requestId) => ({ prompt: aPrompt({ requestId, title: requestId }) }));
  const app = anApp({ sessions: { s1: aSession() }, prompts: prompts.slice(0, 1) });
  const { container } = renderApp(app, <Announcer />);
  const tell = (seq: number, event: object) =>
    act(() => app.store.dispatch({ type: "event", seq, event: event as never }));
  tell(11, { type: "prompt", prompt: prompts[1]?.prompt });
  expect(container).toHaveTextContent("asks: p2");
  tell(12, { type: "prompt-closed", requestId: "p2", outcome: { type: "gone" } });
  expect(container).toHaveTextContent("");
  act(() => app.store.dispatch({ type: "viewing", sessionIds: ["s1"] }));
  act(() => app.store.dispatch({ type: "sheet-lowered" }));
  tell(13, { type: "prompt", prompt: aPrompt({ requestId: "p3", title: "p3" }) });
  expect(app.store.getState().sheet.shown).toBe("p3");
  expect(container).toHaveTextContent("");
});
