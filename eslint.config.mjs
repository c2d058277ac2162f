import eslint from "@eslint/js";
import globals from "globals";
import tseslint from "typescript-eslint";
import { foreignKeys } from "./eslint/foreignKeys.ts";
import { lazyImports } from "./eslint/lazyImports.ts";
import { listsAsArguments } from "./eslint/listsAsArguments.ts";
import { SHOWN_TEXT_RULES, SURFACE_RULES } from "./eslint/shownText.ts";

export default tseslint.config(
  { ignores: ["dist/**", ".cache/**", "**/node_modules/**", "test/sandbox/sample/**"] },
  eslint.configs.recommended,
  {
    // The rules that need types are those of .oxlintrc.json, where they take a tenth of the time.
    files: ["**/*.{ts,tsx}"],
    extends: [tseslint.configs.strict, tseslint.configs.stylistic],
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-restricted-exports": ["error", { restrictDefaultExports: { direct: true } }],
    },
  },
  {
    // Keys come from files, servers, chains and settings; none may meet an object's prototype.
    files: ["src/**/*.{ts,tsx}", "eslint/**/*.ts"],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { "foreign-keys": foreignKeys, "lists-as-arguments": listsAsArguments },
    rules: {
      "lists-as-arguments/no-list-as-arguments": "error",
      "foreign-keys/no-computed-assignment": "error",
      "foreign-keys/no-inherited-lookup": "error",
      // The other linter does not have these two, which need types as well.
      "@typescript-eslint/no-generated-empty-object-type": "error",
      "@typescript-eslint/no-unsafe-class-instance-assignment": "error",
    },
  },
  {
    // Whatever asks the network goes through core/http, which says what it asks, whom, and never without being asked to.
    files: ["src/**/*.{ts,tsx}"],
    rules: {
      "no-restricted-globals": [
        "error",
        {
          globals: ["fetch", "XMLHttpRequest", "WebSocket", "EventSource"].map((name) => ({
            name,
            message: "core/http asks for everything.",
          })),
          checkGlobalObject: true,
        },
      ],
    },
  },
  {
    files: ["src/**/*.ts"],
    plugins: { "lazy-imports": lazyImports },
    rules: { "lazy-imports/own-modules-only": "error" },
  },
  { files: ["**/*.ts"], ignores: ["src/core/text/{shownText,documentText}.ts"], rules: SHOWN_TEXT_RULES },
  {
    files: ["src/editor/**/*.ts", "src/container.ts", "src/extension.ts"],
    ignores: [
      "src/editor/ui/{asking,codeLens,diagnostic,diff,hover,log,notifications,page,progress,questions,quickPick}.ts",
      "src/editor/ui/{rowItem,statusItem,viewTexts}.ts",
    ],
    rules: SURFACE_RULES,
  },
  {
    // Core runs in plain Node: nothing in it may know the editor.
    files: ["src/core/**/*.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        { paths: ["vscode"], patterns: [{ group: ["**/editor/**"], message: "core never imports editor" }] },
      ],
      "no-restricted-properties": [
        "error",
        {
          object: "AbortSignal",
          property: "any",
          message: "It leaves something at a signal that lives on; jointSignal.ts does not.",
        },
      ],
    },
  },
  { files: ["**/*.d.ts"], rules: { "no-restricted-exports": "off" } },
  { files: ["**/*.mjs"], languageOptions: { globals: globals.node } },
);
