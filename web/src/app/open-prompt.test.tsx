/* What a notification opens, and what the page tells the server that it shows. */
import { act, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { OpenPrompt } from "@/app/open-prompt";
import { usePresence } from "@/app/use-presence";
import { AppProvider } from "@/state/app-context";
import { anApp, aPrompt, type TestApp } from "@/testing/builders";

afterEach(() => {
  location.hash = "";
});

const waiting = {
  prompts: [{ prompt: aPrompt() }, { prompt: aPrompt({ requestId: "p2", sessionId: "s2" }) }],
};

function open(app: TestApp) {
  location.hash = "#/p/p1";
  render(
    <AppProvider app={app}>
      <OpenPrompt requestId="p1" />
    </AppProvider>,
  );
}

test("a waiting prompt becomes its chat, with the sheet raised", () => {
  const app = anApp(waiting);
  open(app);
  expect(app.store.getState().sheet.shown).toBe("p1");
  expect(location.hash).toBe("#/s/s1");
});

test("one that is over says so, but only when the server has spoken", () => {
  const app = anApp({ knownAt: 5 });
  open(app);
  expect(location.hash).toBe("#/p/p1");
  act(() =>
    app.store.dispatch({
      type: "snapshot",
      seq: 11,
      snapshot: { sessions: [], prompts: [], adapters: [] },
    }),
  );
  expect(location.hash).toBe("#/");
  expect(app.store.getState().notice?.text).toBe("That question is over.");
});

function Shows({ listed }: { listed: boolean }) {
  usePresence(listed);
  return null;
}

test.each([
  ["a raised sheet", { listed: false, visible: true }, ["p1"]],
  ["all cards of the list", { listed: true, visible: true }, ["p1", "p2"]],
  ["nothing that anybody sees", { listed: true, visible: false }, ["p1", "p2"]],
])("the server is told of %s", (_, { listed, visible }, prompts) => {
  const app = anApp({ ...waiting, visible, viewing: ["s1"], sheet: { shown: "p1", lowered: [] } });
  render(
    <AppProvider app={app}>
      <Shows listed={listed} />
    </AppProvider>,
  );
  const presence = { visible, prompts, sessions: ["s1"] };
  expect(app.sent).toEqual([{ type: "notify", notify: { type: "presence", presence } }]);
  // What changes is told at once.
  act(() => app.store.dispatch({ type: "viewing", sessionIds: [] }));
  expect(app.sent.at(-1)).toMatchObject({ notify: { presence: { sessions: [] } } });
});
