/* Renders a part of the page within an app made by `anApp`. */
import { render } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { vi } from "vitest";
import { AppProvider } from "@/state/app-context";
import type { TestApp } from "@/testing/builders";

export function renderApp(app: TestApp, part: ReactNode) {
  pass(0);
  return {
    user: userEvent.setup(),
    ...render(<AppProvider app={app}>{part}</AppProvider>),
  };
}

/** Of the clock that stands. */
let now = 0;

/** Lets time pass on the clock that taps are judged by, which otherwise stands: sheets settle, second taps become good. */
export function pass(ms: number): void {
  // The first in a test begins at nothing; after each test the clock is the real one again.
  now = Number.isInteger(performance.now()) ? performance.now() + ms : ms;
  vi.spyOn(performance, "now").mockImplementation(() => now);
}
