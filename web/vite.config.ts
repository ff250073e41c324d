/* How the page is built and tested. The server embeds `dist`; in development Vite forwards the two live paths to it. */
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const server = process.env.ANSWERBACK_SERVER ?? "http://127.0.0.1:4700";

/* The server checks Host and Origin, so a forwarded request has to carry the server's own. */
const forwarded = { target: server, changeOrigin: true, headers: { origin: server } };

/* What the script that opens the line is made of; the page takes it from there. */
const EARLY = /[\\/](?:lib[\\/](?:early-line|credential|storage)\.ts$|@noble[\\/])/;

/* The script that opens the line to the server stands in the document before the page itself, and waits for nothing. */
const earlyLine: Plugin = {
  name: "early-line",
  transformIndexHtml: {
    order: "post",
    handler(_, { bundle = {} }) {
      const script = Object.values(bundle).find(
        (file) => file.type === "chunk" && file.name === "early-line",
      );
      if (!script) return [];
      const attrs = { type: "module", async: true, crossorigin: true, src: `/${script.fileName}` };
      return [{ tag: "script", attrs, injectTo: "head-prepend" }];
    },
  },
};

/*
 * Of marked we use the part that reads. It is published as one file whose last statements tie everything together, so no bundler can
 * leave out the parts that write HTML; here those statements go. A version that is built otherwise stops the build.
 */
const onlyTheLexer: Plugin = {
  name: "only-the-lexer",
  apply: "build",
  transform: {
    filter: { id: /\/marked\/lib\/marked\.esm\.js$/ },
    handler(code) {
      const lexer = /export\{.*?([\w$]+) as Lexer[,}]/.exec(code)?.[1];
      const end = [...code.matchAll(/var [\w$]+=new [\w$]+;function [\w$]+\(/g)].at(-1)?.index;
      if (lexer === undefined || end === undefined) throw new Error("marked is not built as it was");
      return { code: `${code.slice(0, end)}export{${lexer} as Lexer};`, map: null };
    },
  },
};

export default defineConfig({
  plugins: [react(), earlyLine, onlyTheLexer],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  server: { proxy: { "/api": forwarded, "/ws": { ...forwarded, ws: true } } },
  build: {
    // The policy allows no inline script and no data: font, so nothing may be inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: "index.html", "early-line": "src/lib/early-line.ts" },
      output: {
        codeSplitting: {
          // All that the first picture needs is one file: many small ones compress worse, and each is a request.
          groups: [{ name: "page", tags: ["$initial"], test: (id) => !EARLY.test(id) }],
          includeDependenciesRecursively: false,
        },
      },
    },
  },
  test: {
    restoreMocks: true,
    // Generous, because test machines are slow and noisy; nothing takes this long when all is well.
    testTimeout: 30_000,
    // Every test tidies up after itself (`testing/setup.ts`), so files need no world of their own: making one for each took three
    // times as long as all tests.
    pool: "threads",
    isolate: false,
    // Logic needs no page, and building one for each file takes far longer than the tests themselves.
    projects: [
      { extends: true, test: { name: "logic", include: ["src/**/*.test.ts"], environment: "node" } },
      {
        extends: true,
        test: {
          name: "page",
          include: ["src/**/*.test.tsx"],
          environment: "jsdom",
          setupFiles: ["src/testing/setup.ts"],
        },
      },
    ],
  },
});
