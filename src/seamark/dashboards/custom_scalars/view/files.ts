/** Layouts as files. */

import { downloads, messageOf } from "$public/core";
import { layoutJson, parseLayout, type Layout } from "./model";

const MAX_BYTES = 4 << 20;

export function saveLayout(name: string, layout: Layout): void {
  const body = JSON.stringify({ name, ...layoutJson(layout) }, null, 2);
  downloads.save(new Blob([body], { type: "application/json" }), downloads.fileName(name, "json"));
}

/** The name that the file gives it, or that of the file. Throws a sentence. */
export async function readLayout(file: File): Promise<{ name: string; layout: Layout }> {
  if (file.size > MAX_BYTES)
    throw new Error(`“${file.name}” is too large for a layout: ${Math.round(file.size / 1e6)} MB`);
  let given: unknown;
  try {
    given = JSON.parse(await file.text());
  } catch (failure) {
    throw new Error(`“${file.name}” is not JSON: ${messageOf(failure)}`, { cause: failure });
  }
  try {
    return { name: nameIn(given) || file.name.replace(/\.json$/i, ""), layout: parseLayout(given) };
  } catch (failure) {
    throw new Error(`“${file.name}” is ${messageOf(failure)}`, { cause: failure });
  }
}

const nameIn = (given: unknown): string =>
  typeof given === "object" && given !== null && "name" in given && typeof given.name === "string"
    ? given.name.trim().slice(0, 200)
    : "";
