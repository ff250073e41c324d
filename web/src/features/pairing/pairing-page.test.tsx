import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { PairingPage } from "@/features/pairing/pairing-page";

function answer(status: number, body: unknown) {
  const reply = new Response(JSON.stringify(body), { status });
  return vi.spyOn(globalThis, "fetch").mockResolvedValue(reply);
}

test("a link needs one tap", async () => {
  const fetch = answer(200, { device: { id: "d1" } });
  const onPaired = vi.fn();
  render(<PairingPage code="ABCD-EFGH" onPaired={onPaired} />);
  const name = screen.getByRole("textbox", { name: "Device name" });
  await userEvent.clear(name);
  await userEvent.type(name, "My phone");
  await userEvent.click(screen.getByRole("button", { name: "Pair this device" }));
  expect(fetch.mock.calls[0]?.[1]?.body).toBe(JSON.stringify({ code: "ABCD-EFGH", name: "My phone" }));
  expect(onPaired).toHaveBeenCalledOnce();
});

test("a code can be typed, in its form", async () => {
  render(<PairingPage code={null} onPaired={vi.fn()} />);
  expect(screen.getByRole("button", { name: "Pair this device" })).toBeDisabled();
  await userEvent.type(screen.getByRole("textbox", { name: "Pairing code" }), "abcdefgh");
  expect(screen.getByRole("textbox", { name: "Pairing code" })).toHaveValue("ABCD-EFGH");
  expect(screen.getByRole("button", { name: "Pair this device" })).toBeEnabled();
});

test.each([
  ["bad-code", /wrong, already used or over/],
  ["rate-limited", /Too many attempts/],
  ["forbidden", /not from there/],
])("%s is told plainly", async (code, text) => {
  answer(403, { code, message: "not from there" });
  render(<PairingPage code="ABCD-EFGH" onPaired={vi.fn()} />);
  await userEvent.click(screen.getByRole("button", { name: "Pair this device" }));
  expect(await screen.findByRole("alert")).toHaveTextContent(text);
});
