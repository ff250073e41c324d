import { act, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { KeyBar } from "@/components/key-bar";
import { anApp } from "@/testing/builders";
import { pass, renderApp } from "@/testing/render-app";
import type { ScreenFrame } from "@/wire/screen";

function asking(asks: number, text = "1. Yes"): ScreenFrame {
  return { cols: 80, rows: 1, lines: [[{ text }]], cursor: { x: 0, y: 0, visible: false }, asks };
}

function show() {
  const app = anApp({ screens: { s1: asking(7) } });
  const view = renderApp(app, <KeyBar sessionId="s1" />);
  pass(500);
  const draw = (frame: ScreenFrame) =>
    act(() => app.store.dispatch({ type: "screen", sessionId: "s1", frame }));
  return { app, draw, ...view };
}

test("a key names what was asked on the screen it was meant for", async () => {
  const { app, user } = show();
  await user.click(screen.getByRole("button", { name: "1" }));
  await user.type(screen.getByRole("textbox"), "yes{Enter}");
  expect(app.sent).toEqual([
    { type: "send-keys", sessionId: "s1", keys: [{ type: "text", text: "1" }], seen: 7 },
    {
      type: "send-keys",
      sessionId: "s1",
      keys: [
        { type: "text", text: "yes" },
        { type: "named", key: "enter" },
      ],
      seen: 7,
    },
  ]);
});

test("when another dialog comes no key is taken for a moment, and what was typed stays", async () => {
  const { app, user, draw } = show();
  await user.type(screen.getByRole("textbox"), "yes");
  draw(asking(8));
  await user.click(screen.getByRole("button", { name: "1" }));
  await user.click(screen.getByRole("button", { name: "Type" }));
  expect(app.sent).toEqual([]);
  expect(screen.getByRole("textbox")).toHaveValue("yes");
  pass(350);
  await user.click(screen.getByRole("button", { name: "1" }));
  expect(app.sent).toMatchObject([{ seen: 8 }]);
});

test("output of the same dialog makes no key wait, a row of offered keys does", async () => {
  const { app, user, draw } = show();
  draw(asking(7, "still 1. Yes"));
  await user.click(screen.getByRole("button", { name: "1" }));
  expect(app.sent).toHaveLength(1);
  draw(asking(7, "Press q to quit"));
  await user.click(screen.getByRole("button", { name: "2" }));
  expect(app.sent).toHaveLength(1);
});
