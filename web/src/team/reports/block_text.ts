/** Blocks of a report as text, for the buttons that insert them. The server reads them as YAML. */

const PLAIN = /^[\w./-]+$/;
const MAX_NAMED = 20;

/** Names of runs and tags may hold anything: what YAML could read otherwise is quoted, as JSON is. */
const quoted = (name: string): string => (PLAIN.test(name) && !/^[\d.-]/.test(name) ? name : JSON.stringify(name));
const list = (names: readonly string[]): string => `[${names.slice(0, MAX_NAMED).map(quoted).join(", ")}]`;

const fenced = (kind: string, lines: readonly string[]): string => ["```" + kind, ...lines, "```"].join("\n");

export const chartText = (runs: readonly string[], tag: string): string =>
  fenced("chart", [`runs: ${list(runs)}`, `tags: ${list([tag])}`]);

export const tableText = (runs: readonly string[], columns: readonly string[]): string =>
  fenced("table", [`runs: ${list(runs)}`, ...(columns.length > 0 ? [`columns: ${list(columns)}`] : [])]);

export const imagesText = (runs: readonly string[], tag: string): string =>
  fenced("images", [`runs: ${list(runs)}`, `tags: ${list([tag])}`]);

/** A block stands in lines of its own, with an empty line on both sides. */
export function insertBlock(
  text: string,
  at: number,
  block: string,
): { readonly text: string; readonly caret: number } {
  const before = text.slice(0, at).trimEnd();
  const after = text.slice(at).trimStart();
  const start = before === "" ? block : `${before}\n\n${block}`;
  return { text: `${start}\n\n${after}`, caret: start.length + 2 };
}
