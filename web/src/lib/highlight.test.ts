import { expect, test } from "vitest";
import { highlight } from "@/lib/highlight";

test.each(["rust", "rs", "ts", "tsx", "sh", "toml", "html", "c++", "py"])("%s is known", async (language) => {
  expect(await highlight("x", language)).not.toBeNull();
});

test("words get a class, and what is in the code is escaped", async () => {
  expect(await highlight("let a = '<b>';", "js")).toBe(
    `<span class="hljs-keyword">let</span> a = <span class="hljs-string">&#x27;&lt;b&gt;&#x27;</span>;`,
  );
});

test("a language that nobody knows is left as it is", async () => {
  expect(await highlight("x", "klingon")).toBeNull();
  expect(await highlight("x", "constructor")).toBeNull();
});
