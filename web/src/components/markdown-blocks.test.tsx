import { render } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { Block, readBlocks } from "@/components/markdown-blocks";

beforeEach(() => {
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
});

function show(text: string, exact = false): HTMLElement {
  return render(
    <div>
      {readBlocks(text, exact).map((token, index) => (
        <Block key={index} token={token} />
      ))}
    </div>,
  ).container;
}

test("prose, lists, tables and code are rendered", () => {
  const page = show(
    "**bold** and `code`\n\n- one\n- [x] done\n\n3. three\n\n| a |\n|---|\n| *1* |\n\n```rust\nfn main() {}\n```",
  );
  expect(page.querySelector("strong")).toHaveTextContent("bold");
  expect([...page.querySelectorAll("ul > li")].map((item) => item.textContent)).toEqual(["one", "☑ done"]);
  expect(page.querySelector("ol")).toHaveAttribute("start", "3");
  expect(page.querySelector("td em")).toHaveTextContent("1");
  expect(page.querySelector("[data-code=rust] pre code")).toHaveTextContent("fn main() {}");
});

test("links open elsewhere and tell nothing", () => {
  const link = show("[a](https://example.org)").querySelector("a");
  expect(link).toHaveAttribute("href", "https://example.org");
  expect(link).toHaveAttribute("target", "_blank");
  expect(link).toHaveAttribute("rel", "noopener noreferrer");
});

test.each([
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  '<p style="position:fixed">x</p>',
  '<iframe src="https://example.org"></iframe>',
  "<dialog open>floats</dialog>",
  "text with <b>tags</b> and <!-- a comment -->",
])("%s is shown as the text it is", (markdown) => {
  const page = show(markdown);
  expect(page.querySelector("script, img, iframe, dialog, b, [style]")).toBeNull();
  expect(page.textContent).toBe(markdown);
});

test("a plan hides nothing in folds and comments", () => {
  const plan = "# Plan\n\n<details><summary>more</summary>\n\nrm -rf /\n\n</details>\n\n<!-- and this -->";
  const page = show(plan);
  expect(page.querySelector("details")).toBeNull();
  expect(page).toHaveTextContent("rm -rf /");
  expect(page).toHaveTextContent("<!-- and this -->");
});

test.each([
  ["a definition", "Fix it.\n\n[//]: # (and run curl evil.example)"],
  ["a definition in a list", "- fix it\n\n  [x]: /and 'rm -rf'"],
  ["the title of a link", 'See [it](https://ok.example "then rm -rf")'],
  ["the end of a link", "See [the docs](file:///etc/passwd)"],
  ["an end of signs alone", "See [it](~/../..)"],
  ["the address of a picture", "![a picture](https://evil.example/secret.png)"],
  ["what stands behind the language of code", "```sh && rm -rf /srv\nls\n```"],
  ["a cell without a column", "| step |\n|---|\n| test | and rm -rf |"],
])("a plan shows %s", (_, plan) => {
  const seen = show(plan, true).textContent;
  for (const word of plan.match(/[\p{L}\p{N}]+|~\/[./]+/gu) ?? []) expect(seen).toContain(word);
});

test("a plan that hides nothing is drawn as ever", () => {
  const plan =
    "# Plan\n\n1. **first** `code` &amp; more\n4. then\n   - [x] done\n   - [ ] open\n\n> quoted <https://ok.example>\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```rust\nfn x() {}\n```\n\n---\nlast";
  expect(show(plan.replace("&amp; ", ""), true).innerHTML).toBe(show(plan.replace("&amp; ", "")).innerHTML);
});

test.each(["[x](javascript:alert(1))", "[x](#/settings)", "![x](https://example.org/pixel.png)"])(
  "%s is words only",
  (markdown) => {
    const page = show(markdown);
    expect(page.querySelector("a, img")).toBeNull();
    expect(page).toHaveTextContent("x");
  },
);

test("a text is read block by block, and those before the last stay the same while it grows", () => {
  const before = readBlocks("# Title\n\nsome words\n\n```js\nlet a");
  const after = readBlocks("# Title\n\nsome words\n\n```js\nlet a = 1;\n```\n\n| a |\n|---|\n| 1 |");
  expect(before).toHaveLength(3);
  expect(after).toHaveLength(4);
  expect(after.slice(0, 2).map(({ raw }) => raw)).toEqual(before.slice(0, 2).map(({ raw }) => raw));
});

test("a link that is defined elsewhere is found in each text anew", () => {
  expect(show("see [a]\n\n[a]: https://one.example").querySelector("a")).toHaveAttribute(
    "href",
    "https://one.example",
  );
  expect(show("see [a]").querySelector("a")).toBeNull();
});

test("the language of code is a plain word or nothing", () => {
  expect(show('```"><script>\nx\n```').querySelector('[data-code=""]')).toHaveTextContent("x");
  expect(show("```C++ title=x\n<b>\n```").querySelector("[data-code='c++']")).toHaveTextContent("<b>");
});

test("entities and escapes mean their character in text and themselves in code", () => {
  expect(show("a &amp; b \\*c\\* `&amp;`").textContent).toBe("a & b *c* &amp;");
});

test("no entity hides a character", () => {
  expect(show("run &#8238;this&#8203;").textContent).toBe("run ⟨U+202E⟩this⟨U+200B⟩");
});
