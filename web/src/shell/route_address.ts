/** Addresses of routes, relative to the page's <base>. */

import type { RouteParameters } from "../public/core";

/** Of a dashboard's route. */
export const routeAddress = (dashboard: string, path: string, parameters?: RouteParameters): string =>
  apiAddress(`dashboards/${dashboard}/${path.replace(/^\//, "")}`, parameters);

/** Of a route of the server. */
export function apiAddress(path: string, parameters: RouteParameters = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const part of Array.isArray(value) ? (value as readonly string[]) : [value])
      if (part !== undefined) query.append(name, String(part));
  }
  const address = `api/${path.replace(/^\//, "")}`;
  return query.size === 0 ? address : `${address}?${query}`;
}
