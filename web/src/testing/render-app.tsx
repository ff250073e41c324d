/* Renders a part of the page within an app made by `anApp`. */
import { render } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { AppProvider } from "@/state/app-context";
import type { TestApp } from "@/testing/builders";

export function renderApp(app: TestApp, part: ReactNode) {
  return {
    user: userEvent.setup(),
    ...render(<AppProvider app={app}>{part}</AppProvider>),
  };
}
