// @vitest-environment jsdom
import { expect, test } from "vitest";
import { renderMarkdown } from "@/lib/render-markdown";

test("prose, lists and code are rendered", () => {
  const html = renderMarkdown("**bold**\n\n- one\n\n```rust\nfn main() {}\n```");
  expect(html).toContain("<strong>bold</strong>");
  expect(html).toContain("<li>one</li>");
  expect(html).toContain("<pre><code>fn main() {}");
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
