/** seamark-plugin.js, the interface for views of other packages, at an address that stays the same, and its types. */

import { readFileSync } from "node:fs";
import ts from "typescript";

export const PLUGIN_ENTRY = "seamark-plugin";
export const PLUGIN_SOURCE = "src/public/seamark_plugin.ts";
const TYPES_SOURCE = "src/public/view_types.ts";
const FROM_TYPES = /^(?:import|export) type .* from "\.\/view_types";\n/gm;

/** The published types: one file, which imports nothing. */
export function publishedTypes() {
  const read = (path) => readFileSync(new URL(path, import.meta.url), "utf-8");
  const text = declarationsOf(read(PLUGIN_SOURCE)).replace(FROM_TYPES, "") + declarationsOf(read(TYPES_SOURCE));
  if (/^import /m.test(text))
    throw new Error(`${PLUGIN_SOURCE}: a public type comes from a file besides ${TYPES_SOURCE}`);
  return text;
}

export function declarationsOf(source) {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(source, {
    fileName: `${PLUGIN_ENTRY}.ts`,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, isolatedDeclarations: true },
  });
  const [problem] = diagnostics;
  if (problem) throw new Error(`${PLUGIN_SOURCE}: ${ts.flattenDiagnosticMessageText(problem.messageText, "\n")}`);
  return outputText;
}

/** @returns {import("vite").Plugin} */
export function pluginModule() {
  return {
    name: "plugin-module",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: `${PLUGIN_ENTRY}.d.ts`, source: publishedTypes() });
    },
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        if (request.url?.split("?")[0] === `/${PLUGIN_ENTRY}.js`) request.url = `/${PLUGIN_SOURCE}`;
        next();
      });
    },
  };
}
