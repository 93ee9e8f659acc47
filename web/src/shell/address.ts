/**
 * The page's address: `#scalars&smoothing=0.8&runFilter=baseline`. All state is behind the #, which no server sees and no
 * limit cuts. What TensorBoard's links carry, before the # or under its older names, is read as well.
 */

export interface Address {
  readonly tab: string;
  readonly params: ReadonlyMap<string, string>;
}

/** TensorBoard's name, and ours. */
const OLD_NAMES: Readonly<Record<string, string>> = {
  regexInput: "runFilter",
  _smoothingWeight: "smoothing",
  _tagFilter: "tagFilter",
  _ignoreYOutliers: "clipOutliers",
  ignoreYOutliers: "clipOutliers",
  xAxisType: "axis",
};
/** These come before the # in TensorBoard's links; everything else there belongs to the server. */
export const QUERY_NAMES: ReadonlySet<string> = new Set([
  "tagFilter",
  "runFilter",
  "smoothing",
  "pinnedCards",
  "runColorGroup",
  "darkMode",
  ...Object.keys(OLD_NAMES),
]);

export function parseAddress(search: string, hash: string): Address {
  const params = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(search)) {
    if (QUERY_NAMES.has(name)) params.set(OLD_NAMES[name] ?? name, value);
  }
  const [tab = "", ...parts] = hash.replace(/^#/, "").split("&");
  const isTab = !tab.includes("=");
  for (const part of isTab ? parts : [tab, ...parts]) {
    const equals = part.indexOf("=");
    if (equals <= 0) continue;
    const name = decode(part.slice(0, equals));
    params.set(OLD_NAMES[name] ?? name, decode(part.slice(equals + 1)));
  }
  return { tab: isTab ? decode(tab) : "", params };
}

export function formatHash({ tab, params }: Address): string {
  const sorted = [...params].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `#${[encode(tab), ...sorted.map(([name, value]) => `${encode(name)}=${encode(value)}`)].join("&")}`;
}

/** The parameters whose values differ. */
export function changedNames(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name));
}

/** What is left before the # once our own names have moved behind it. */
export function restOfSearch(search: string): string {
  const kept = [...new URLSearchParams(search)].filter(([name]) => !QUERY_NAMES.has(name));
  const text = new URLSearchParams(kept).toString();
  return text && `?${text}`;
}

const READABLE = /%(2F|3A|2C|40|24|3B|3F|5B|5D|7C)/g;

/** As little escaping as a fragment needs, so that a person can read it. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd")).replace(READABLE, decodeURIComponent);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone % that somebody typed
  }
}
