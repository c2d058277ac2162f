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
    files: ["**/*.{ts,tsx}"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      // noPropertyAccessFromIndexSignature asks for brackets where this rule would ask for a dot.
      "@typescript-eslint/dot-notation": "off",
      "no-restricted-exports": ["error", { restrictDefaultExports: { direct: true } }],
    },
  },
  {
    // Keys come from files, servers, chains and settings; none may meet an object's prototype.
    files: ["src/**/*.{ts,tsx}", "eslint/**/*.ts"],
    plugins: { "foreign-keys": foreignKeys, "lists-as-arguments": listsAsArguments },
    rules: {
      "lists-as-arguments/no-list-as-arguments": "error",
      "foreign-keys/no-computed-assignment": "error",
      "foreign-keys/no-inherited-lookup": "error",
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
      "src/editor/ui/{asking,codeLens,diagnostic,diff,hover,log,multiStep,notifications,page,progress,quickPick}.ts",
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
  {
    files: ["test/**/*.ts", "bench/**/*.ts"],
    rules: {
      // node:test returns promises that its runner awaits.
      "@typescript-eslint/no-floating-promises": [
        "error",
        {
          allowForKnownSafeCalls: [
            { from: "package", package: "node:test", name: ["test", "it", "describe", "suite"] },
          ],
        },
      ],
    },
  },
  { files: ["**/*.mjs"], languageOptions: { globals: globals.node } },
);
