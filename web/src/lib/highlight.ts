/* Colours for code: highlight.js, of which only the languages that are seen are fetched, and of which no HTML is taken. */
import hljs from "highlight.js/lib/core";
import type { LanguageFn } from "highlight.js";

type Load = () => Promise<{ default: LanguageFn }>;

const LANGUAGES: Record<string, Load | undefined> = {
  __proto__: null as never,
  bash: () => import("highlight.js/lib/languages/bash"),
  c: () => import("highlight.js/lib/languages/c"),
  cpp: () => import("highlight.js/lib/languages/cpp"),
  csharp: () => import("highlight.js/lib/languages/csharp"),
  css: () => import("highlight.js/lib/languages/css"),
  diff: () => import("highlight.js/lib/languages/diff"),
  dockerfile: () => import("highlight.js/lib/languages/dockerfile"),
  go: () => import("highlight.js/lib/languages/go"),
  ini: () => import("highlight.js/lib/languages/ini"),
  java: () => import("highlight.js/lib/languages/java"),
  javascript: () => import("highlight.js/lib/languages/javascript"),
  json: () => import("highlight.js/lib/languages/json"),
  kotlin: () => import("highlight.js/lib/languages/kotlin"),
  makefile: () => import("highlight.js/lib/languages/makefile"),
  markdown: () => import("highlight.js/lib/languages/markdown"),
  php: () => import("highlight.js/lib/languages/php"),
  python: () => import("highlight.js/lib/languages/python"),
  ruby: () => import("highlight.js/lib/languages/ruby"),
  rust: () => import("highlight.js/lib/languages/rust"),
  scss: () => import("highlight.js/lib/languages/scss"),
  sql: () => import("highlight.js/lib/languages/sql"),
  swift: () => import("highlight.js/lib/languages/swift"),
  typescript: () => import("highlight.js/lib/languages/typescript"),
  xml: () => import("highlight.js/lib/languages/xml"),
  yaml: () => import("highlight.js/lib/languages/yaml"),
};

/** What people and models call them. */
const CALLED: Record<string, string | undefined> = {
  __proto__: null as never,
  "c#": "csharp",
  "c++": "cpp",
  cs: "csharp",
  docker: "dockerfile",
  golang: "go",
  h: "c",
  hpp: "cpp",
  html: "xml",
  js: "javascript",
  jsonc: "json",
  jsx: "javascript",
  kt: "kotlin",
  make: "makefile",
  md: "markdown",
  mjs: "javascript",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "bash",
  shell: "bash",
  svg: "xml",
  toml: "ini",
  ts: "typescript",
  tsx: "typescript",
  yml: "yaml",
  zsh: "bash",
};

/** Plain text, or a stretch of one kind of word. */
export type Coloured = string | { className: string; parts: Coloured[] };

/** Code in parts with a class for each kind of word; nothing for a language that nobody knows. */
export async function highlight(code: string, language: string): Promise<Coloured[] | null> {
  const name = CALLED[language] ?? language;
  const load = LANGUAGES[name];
  if (!load) return null;
  if (!hljs.getLanguage(name)) hljs.registerLanguage(name, (await load()).default);
  const { _emitter } = hljs.highlight(code, { language: name, ignoreIllegals: true });
  return (_emitter as unknown as { rootNode: TreeNode }).rootNode.children
    .filter((node) => node !== "")
    .map(asColoured);
}

/** What highlight.js makes of code before it writes HTML. */
interface TreeNode {
  scope?: string;
  children: (TreeNode | string)[];
}

function asColoured(node: TreeNode | string): Coloured {
  if (typeof node === "string") return node;
  const [first = "", ...others] = (node.scope ?? "").split(".");
  // As it names them itself: the first part says most, the others are finer.
  const className = [`hljs-${first}`, ...others.map((name, at) => name + "_".repeat(at + 1))].join(" ");
  return { className, parts: node.children.map(asColoured) };
}
