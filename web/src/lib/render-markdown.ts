/* Markdown to safe HTML, block by block. Loaded on demand (`components/markdown.tsx`), never needed for the first picture. */
import DOMPurify from "dompurify";
import { Marked } from "marked";

const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    // The language goes along as data: no class of the model's gets into the page.
    code({ text, lang }) {
      const language = lang?.match(/^[\w+#-]{1,20}/)?.[0].toLowerCase() ?? "";
      return `<div data-code="${language}"><pre><code>${escaped(text)}</code></pre></div>`;
    },
  },
});

/* Pictures would be fetched from whoever the model names, and the page's policy refuses them anyway. */
const SAFE = {
  USE_PROFILES: { html: true },
  FORBID_TAGS: ["img", "picture", "video", "audio", "form", "input", "button", "textarea", "select", "style"],
  FORBID_ATTR: ["style", "class", "id", "name"],
};

const purify = DOMPurify(window);
purify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName !== "A") return;
  const href = node.getAttribute("href") ?? "";
  // A link of the model's must not steer this page (its address holds the route), so only the web and mail remain.
  if (!/^(https?:|mailto:)/i.test(href)) node.removeAttribute("href");
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer");
});

/** How many blocks are remembered: a line that is scrolled away and comes back is not read again. */
const KEPT = 500;
const blocks = new Map<string, string>();

/** The HTML of each block. While a text streams in only its last block is another one. */
export function renderBlocks(text: string): string[] {
  return marked
    .lexer(text)
    .filter(({ type }) => type !== "space" && type !== "def")
    .map((token) => {
      const known = blocks.get(token.raw);
      // A link may be defined elsewhere in the text, so the same words are not always the same block.
      if (known !== undefined && !token.raw.includes("[")) return known;
      const html = purify.sanitize(marked.parser([token]), SAFE);
      const [oldest] = blocks.keys();
      if (blocks.size >= KEPT && oldest !== undefined) blocks.delete(oldest);
      blocks.set(token.raw, html);
      return html;
    });
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
