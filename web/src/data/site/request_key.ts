/** The key of a request in a site's index, as publish/request_key.py makes it. */

/** A wall time identifies content for caches; an empty or false value is the same as none. */
const IGNORED: ReadonlySet<string> = new Set(["wall"]);
const DEFAULTS: ReadonlySet<string> = new Set(["", "false"]);

export function getKey(path: string, parameters: Iterable<readonly [string, string]> = []): string {
  const kept = [...parameters].filter(([name, value]) => !IGNORED.has(name) && !DEFAULTS.has(value));
  // Stable, and by name alone: the order of repeated parameters counts.
  kept.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return [`GET ${path}`, ...kept.map(([name, value]) => `${name}=${value}`)].join("\0");
}

export const postKey = (path: string, body: unknown): string => `POST ${path}\0${sortedJson(body)}`;

function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([name, part]) => `${JSON.stringify(name)}:${sortedJson(part)}`).join(",")}}`;
}
