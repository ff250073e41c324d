import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { PairingPage } from "@/features/pairing/pairing-page";
import { hasKey } from "@/lib/credential";

/** A server that answers pairing so, and knows the browser's cookie or not. */
function answer(status: number, body: unknown, standing = "not-paired") {
  return vi.spyOn(globalThis, "fetch").mockImplementation((address) => {
    const [said, as] = address === "/api/me" ? [{ standing, device: null }, 200] : [body, status];
    return Promise.resolve(new Response(JSON.stringify(said), { status: as }));
  });
}

test("a link needs one tap", async () => {
  const fetch = answer(200, { device: { id: "d1" }, key: "k1" });
  const onPaired = vi.fn();
  render(<PairingPage code="ABCD-EFGH" onPaired={onPaired} />);
  const name = screen.getByRole("textbox", { name: "Device name" });
  await userEvent.clear(name);
  await userEvent.type(name, "My phone");
  await userEvent.click(screen.getByRole("button", { name: "Pair this device" }));
  const body = JSON.stringify({ code: "ABCD-EFGH", name: "My phone" });
  expect(fetch).toHaveBeenCalledWith("/api/pair", expect.objectContaining({ body }));
  expect(onPaired).toHaveBeenCalledOnce();
  expect(hasKey()).toBe(true);
});

test("a device that was paired before devices had keys is asked to pair once more", async () => {
  answer(403, {}, "pair-again");
  render(<PairingPage code={null} onPaired={vi.fn()} />);
  expect(await screen.findByText(/was paired before. Please pair it once more/)).toBeVisible();
});

test("a code can be typed, in its form", async () => {
  answer(403, {});
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
