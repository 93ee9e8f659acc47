/** The address of a dashboard's route, relative to the page's <base>. */

import type { RouteParameters } from "../public/core";

export function routeAddress(dashboard: string, path: string, parameters: RouteParameters = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const part of Array.isArray(value) ? (value as readonly string[]) : [value])
      if (part !== undefined) query.append(name, String(part));
  }
  const address = `api/dashboards/${dashboard}/${path.replace(/^\//, "")}`;
  return query.size === 0 ? address : `${address}?${query}`;
}
