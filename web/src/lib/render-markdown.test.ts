// @vitest-environment jsdom
import { expect, test } from "vitest";
import { renderBlocks } from "@/lib/render-markdown";

const renderMarkdown = (text: string) => renderBlocks(text).join("");

test("prose, lists and code are rendered", () => {
  const html = renderMarkdown("**bold**\n\n- one\n\n```rust\nfn main() {}\n```");
  expect(html).toContain("<strong>bold</strong>");
  expect(html).toContain("<li>one</li>");
  expect(html).toContain('<div data-code="rust"><pre><code>fn main() {}</code></pre></div>');
});

test("links open elsewhere and tell nothing", () => {
  expect(renderMarkdown("[a](https://example.org)")).toContain(
    '<a href="https://example.org" target="_blank" rel="noopener noreferrer">a</a>',
  );
});

test.each([
  ["<script>alert(1)</script>", "script"],
  ["<img src=x onerror=alert(1)>", "img"],
  ["[x](javascript:alert(1))", "javascript"],
  ["[x](#/settings)", "href"],
  ['<p style="position:fixed">x</p>', "style"],
  ['<iframe src="https://example.org"></iframe>', "iframe"],
  ["<form action=/api/pair><button>x</button></form>", "form"],
])("%s leaves no %s", (markdown, forbidden) => {
  expect(renderMarkdown(markdown)).not.toContain(forbidden);
});

test("a text is read block by block, and those before the last stay the same while it grows", () => {
  const before = renderBlocks("# Title\n\nsome words\n\n```js\nlet a");
  const after = renderBlocks("# Title\n\nsome words\n\n```js\nlet a = 1;\n```\n\n| a |\n|---|\n| 1 |");
  expect(before).toHaveLength(3);
  expect(after).toHaveLength(4);
  expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
  expect(after[3]).toContain("<table>");
});

test("a link that is defined elsewhere is found in each text anew", () => {
  expect(renderMarkdown("see [a]\n\n[a]: https://one.example")).toContain("https://one.example");
  expect(renderMarkdown("see [a]\n\n[a]: https://two.example")).toContain("https://two.example");
  expect(renderMarkdown("see [a]")).not.toContain("href");
});

test("the language of code is a plain word or nothing", () => {
  expect(renderMarkdown('```"><script>\nx\n```')).toContain('<div data-code=""><pre><code>x');
  expect(renderMarkdown("```C++ title=x\n<b>\n```")).toContain('data-code="c++"><pre><code>&lt;b&gt;');
});
