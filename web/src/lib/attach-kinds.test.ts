import { expect, test } from "vitest";
import { kindOf, refusalOf } from "@/lib/attach-kinds";

test.each([
  ["image/png", "image/png"],
  ["application/pdf", "application/pdf"],
  ["text/markdown", "text/plain"],
  ["application/json", "text/plain"],
  ["", "text/plain"],
  ["image/heic", null],
  ["image/svg+xml", null],
  ["application/zip", null],
  ["video/mp4", null],
])("%s", (type, kind) => {
  expect(kindOf({ type })).toBe(kind);
});

test("what cannot be sent is said before it is tried", () => {
  const file = { name: "a.png", type: "image/png", size: 10 };
  expect(refusalOf(file)).toBeNull();
  expect(refusalOf({ ...file, size: 11 * 1024 * 1024 })).toMatch(/too large.*10 MB/);
  expect(refusalOf({ ...file, size: 0 })).toMatch(/empty/);
  expect(refusalOf({ ...file, type: "application/zip" })).toMatch(/cannot be sent/);
});
