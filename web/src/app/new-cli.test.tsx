/* A CLI that no file of the page names: everything that is shown of it comes from the server. */
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { AdapterBadge } from "@/components/adapter-badge";
import { NewSessionPage } from "@/features/new-session/new-session-page";
import { Announcer } from "@/features/prompt/announcer";
import { WaitingCard } from "@/features/prompt/waiting-card";
import { SessionDefaults } from "@/features/settings/session-defaults";
import { anAdapter, anApp, aPrompt, aSession } from "@/testing/builders";
import { renderApp } from "@/testing/render-app";

const toy = anAdapter("toy", {
  name: "Toy CLI",
  mark: { icon: "M2 2l12 12", light: "#224466", dark: "#aaccee" },
});
const asked = { prompt: aPrompt({ adapter: "toy", toolInput: "make it so", description: "It must be" }) };
const app = () =>
  anApp({ adapters: [toy], sessions: { s1: aSession({ adapter: "toy" }) }, prompts: [asked] });

test("its mark and its name are as the server says", () => {
  renderApp(app(), <AdapterBadge kind="toy" />);
  const badge = screen.getByText("Toy");
  expect(badge.querySelector("path")).toHaveAttribute("d", "M2 2l12 12");
  expect(badge.style.getPropertyValue("--mark-light")).toBe("#224466");
  expect(badge.style.getPropertyValue("--mark-dark")).toBe("#aaccee");
});

test("it is offered for a new session, and asks under its name", () => {
  renderApp(
    app(),
    <>
      <NewSessionPage />
      <SessionDefaults />
      <Announcer />
      <WaitingCard pending={asked} settling={{ settling: false, isSettled: () => true }} />
    </>,
  );
  expect(screen.getByRole("radio", { name: "Toy CLI" })).toBeChecked();
  expect(screen.getByRole("checkbox", { name: "Trust this folder" })).toBeInTheDocument();
  expect(screen.getByRole("textbox", { name: "Folder of Toy" })).toBeInTheDocument();
  expect(screen.getByText(/^Toy, shop-api, asks: Run this command/)).toBeInTheDocument();
  expect(screen.getByText(/Toy: “It must be”/)).toBeInTheDocument();
});

test("one that the server does not have goes by its id, and looks like any program", () => {
  renderApp(app(), <AdapterBadge kind="of-tomorrow" />);
  const badge = screen.getByText("of-tomorrow");
  expect(badge.querySelector("path")).not.toHaveAttribute("d", "M2 2l12 12");
  expect(badge).toHaveAttribute("class", "badge");
});
