import { expect, test } from "vitest";
import { cellsOf } from "@/lib/screen-cells";

test("a plain text is one stretch", () => {
  expect(cellsOf("│ cargo test ✓ │")).toEqual([{ text: "│ cargo test ✓ │", wide: false }]);
});

test("every wide character stands alone", () => {
  expect(cellsOf("a漢字b😀")).toEqual([
    { text: "a", wide: false },
    { text: "漢", wide: true },
    { text: "字", wide: true },
    { text: "b", wide: false },
    { text: "😀", wide: true },
  ]);
});
