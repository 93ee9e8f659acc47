/**
 * Which page an address is of: the dashboards at the root, one run below `run/`, several side by side at `compare?runs=`,
 * and on a team server reports below `reports/`.
 */

import { joinNames, splitNames } from "./runs/selection";

export type Route =
  | { readonly page: "dashboards" }
  | { readonly page: "run"; readonly run: string }
  | { readonly page: "compare"; readonly runs: readonly string[] }
  /** On a team server. Without an id: the list. */
  | { readonly page: "reports"; readonly id: string };

/** The parameter of a route in a published site. */
export const AT = "at";
export const DASHBOARDS: Route = { page: "dashboards" };

/** `path` is below the page's root, as written in the address; `search` begins with "?" or is empty. */
export function parseRoute(path: string, search: string): Route {
  const [page, ...rest] = path.split("/");
  // A browser takes a lone dot out of an address: the run of the log directory itself has no name there.
  if (page === "run") return { page, run: rest.map(decode).join("/") || "." };
  if (page === "compare")
    return { page, runs: [...new Set(splitNames(new URLSearchParams(search).get("runs") ?? ""))] };
  if (page === "reports") return { page, id: rest.map(decode).join("/") };
  return DASHBOARDS;
}

/** Below the page's root, with what belongs before the #. */
export function formatRoute(route: Route): string {
  if (route.page === "run") return `run/${route.run === "." ? "" : route.run.split("/").map(encode).join("/")}`;
  if (route.page === "compare")
    return `compare?runs=${encode(joinNames(route.runs)).replace(/%2F/g, "/").replace(/%2C/g, ",")}`;
  if (route.page === "reports") return route.id === "" ? "reports" : `reports/${encode(route.id)}`;
  return "";
}

/** Of a published site, whose host knows one path only: the route is in a parameter, `?at=run/<name>`. */
export function parseSearchRoute(search: string): Route {
  return parseRoute(new URLSearchParams(search).get(AT) ?? "", search);
}

/** The parameters that name a route in a published site, without "?". */
export function formatSearchRoute(route: Route): string {
  const [page = "", query = ""] = formatRoute(route).split("?");
  return [...(page ? [`${AT}=${encode(page).replace(/%2F/g, "/")}`] : []), ...(query ? [query] : [])].join("&");
}

export const isSameRoute = (a: Route, b: Route): boolean => formatRoute(a) === formatRoute(b);

/** A lone half of a character pair has no bytes. */
const encode = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone % that somebody typed
  }
}
