/* What the linter holds: types, hooks, accessibility, and one direction of imports (shared -> features -> app). */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import js from "@eslint/js";
import { createTypeScriptImportResolver } from "eslint-import-resolver-typescript";
import { importX } from "eslint-plugin-import-x";
import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const features = readdirSync(join(import.meta.dirname, "src/features"));

/* Each layer with the layers above it, which it must not know. */
const layers = [
  ["lib", ["words", "state", "components", "features", "app"]],
  ["words", ["components", "features", "app"]],
  ["state", ["components", "features", "app"]],
  ["components", ["features", "app"]],
  ["features", ["app"]],
];

const zones = [
  ...layers.map(([target, from]) => ({
    target: `./src/${target}`,
    from: from.map((layer) => `./src/${layer}`),
    message: `${target} does not know the layers above it`,
  })),
  ...features.map((feature) => ({
    target: `./src/features/${feature}`,
    from: "./src/features",
    except: [`./${feature}`],
    message: "features do not know each other; app composes them",
  })),
];

export default tseslint.config(
  { ignores: ["dist", "node_modules", "src/wire"] },
  js.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    extends: [
      tseslint.configs.strictTypeChecked,
      jsxA11y.flatConfigs.strict,
      reactHooks.configs.flat.recommended,
    ],
    plugins: { "import-x": importX },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    settings: { "import-x/resolver-next": [createTypeScriptImportResolver()] },
    rules: {
      "import-x/no-cycle": "error",
      "import-x/no-restricted-paths": ["error", { basePath: import.meta.dirname, zones }],
      "import-x/no-default-export": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
    },
  },
  { files: ["vite.config.ts"], rules: { "import-x/no-default-export": "off" } },
  {
    files: ["scripts/*.mjs"],
    languageOptions: {
      globals: { process: "readonly", console: "readonly", Buffer: "readonly", URL: "readonly" },
    },
  },
  {
    files: ["src/service-worker/*.js"],
    languageOptions: {
      globals: Object.fromEntries(
        [
          "addEventListener",
          "skipWaiting",
          "clients",
          "caches",
          "location",
          "fetch",
          "setTimeout",
          "registration",
          "navigator",
          "Request",
          "URL",
        ].map((name) => [name, "readonly"]),
      ),
    },
  },
);
