import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default ts.config(
  { ignores: ["**/node_modules/", "web/public/", "src/seamark/serve/static/"] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: [".svelte"], svelteConfig } },
  },
  {
    rules: {
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      // TypeScript reports undefined names, with the types of the browser that it knows.
      "no-undef": "off",
      // Maps and sets are values here: made anew by $derived or held in $state.raw, never changed in place.
      "svelte/prefer-svelte-reactivity": "off",
      // Lists without keys are drawn from plain data and hold no state.
      "svelte/require-each-key": "off",
      // {" "} keeps a space that a line break in the source would remove.
      "svelte/no-useless-mustaches": "off",
    },
  },
);
