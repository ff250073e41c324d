import { expect, test } from "vitest";
import { colorOf, runStyle } from "@/lib/screen-style";

test.each([
  [undefined, undefined],
  ["3", "var(--ansi-3)"],
  ["16", "rgb(0 0 0)"],
  ["196", "rgb(255 0 0)"],
  ["231", "rgb(255 255 255)"],
  ["232", "rgb(8 8 8)"],
  ["255", "rgb(238 238 238)"],
  ["#a0B1c2", "#a0B1c2"],
  ["256", undefined],
  ["red; background: url(x)", undefined],
])("colour %j is %j", (code, expected) => expect(colorOf(code)).toBe(expected));

test("flags become classes", () => {
  expect(runStyle({ text: "x", bold: true, dim: true })).toEqual({ className: "run--bold run--dim" });
});

test("inverse exchanges the colours, the theme's own where none is named", () => {
  expect(runStyle({ text: "x", inverse: true, fg: "1" })).toEqual({
    className: "",
    color: "var(--screen-bg)",
    background: "var(--ansi-1)",
  });
});
