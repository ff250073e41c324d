/* Markdown to safe HTML. Loaded on demand (`components/markdown.tsx`), never needed for the first picture. */
import DOMPurify from "dompurify";
import { Marked } from "marked";

const marked = new Marked({ gfm: true, breaks: true });

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

export function renderMarkdown(text: string): string {
  return purify.sanitize(marked.parse(text, { async: false }), SAFE);
}
