import { expect, test } from "vitest";
import { highlight } from "@/lib/highlight";

test.each(["rust", "rs", "ts", "tsx", "sh", "toml", "html", "c++", "py"])("%s is known", async (language) => {
  expect(await highlight("x", language)).not.toBeNull();
});

test("words get a class, and what is in the code stays text", async () => {
  expect(await highlight("let a = '<b>';", "js")).toEqual([
    { className: "hljs-keyword", parts: ["let"] },
    " a ",
    "= ",
    { className: "hljs-string", parts: ["'<b>'"] },
    ";",
  ]);
});

test("a language that nobody knows is left as it is", async () => {
  expect(await highlight("x", "klingon")).toBeNull();
  expect(await highlight("x", "constructor")).toBeNull();
});
