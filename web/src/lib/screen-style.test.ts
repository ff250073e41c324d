import { expect, test } from "vitest";
import { groundColor, runStyle, textColor } from "@/lib/screen-style";

test.each([
  [undefined, undefined],
  ["3", "var(--ansi-3)"],
  ["15", "var(--ansi-15)"],
  ["16", "rgb(0 0 0)"],
  ["196", "rgb(255 0 0)"],
  ["231", "rgb(255 255 255)"],
  ["232", "rgb(8 8 8)"],
  ["255", "rgb(238 238 238)"],
  ["#a0B1c2", "rgb(160 177 194)"],
  ["256", undefined],
  ["red; background: url(x)", undefined],
])("colour %j is %j", (code, expected) => expect(groundColor(code)).toBe(expected));

test("a colour that can be read in one theme only is moved in the other", () => {
  expect(textColor("231")).toMatch(/^light-dark\(rgb\((\d+) \1 \1\), rgb\(255 255 255\)\)$/);
  expect(textColor("231")).not.toContain("light-dark(rgb(255");
  expect(textColor("16")).toMatch(/^light-dark\(rgb\(0 0 0\), rgb\((\d+) \1 \1\)\)$/);
});

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

test.each([
  ["#373737", undefined, "rgb(255 255 255)"],
  ["#eeeeee", undefined, "rgb(10 12 15)"],
  ["4", "15", "var(--screen-bg)"],
  ["0", undefined, "rgb(255 255 255)"],
  ["4", "1", "var(--ansi-1)"],
])("on ground %j with ink %j the text is %j", (bg, fg, color) => {
  expect(runStyle({ text: "x", bg, ...(fg !== undefined && { fg }) }).color).toBe(color);
});
