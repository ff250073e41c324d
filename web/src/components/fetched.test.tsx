import { render, screen } from "@testing-library/react";
import { lazy } from "react";
import { expect, test, vi } from "vitest";
import { Fetched } from "@/components/fetched";

test("until it is there that is said, then it is shown", async () => {
  const Page = lazy(() => Promise.resolve({ default: () => <p>settings</p> }));
  render(
    <Fetched until="opening…">
      <Page />
    </Fetched>,
  );
  expect(screen.getByText("opening…")).toBeInTheDocument();
  expect(await screen.findByText("settings")).toBeInTheDocument();
});

test("what does not come is said in its place, and what is around it stays", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const Page = lazy(() => Promise.reject(new Error("404")));
  render(
    <>
      <p>the list</p>
      <Fetched until="opening…">
        <Page />
      </Fetched>
    </>,
  );
  expect(await screen.findByRole("alert")).toHaveTextContent("could not be shown");
  expect(screen.getByRole("button", { name: "Load the page again" })).toBeInTheDocument();
  expect(screen.getByText("the list")).toBeInTheDocument();
});
