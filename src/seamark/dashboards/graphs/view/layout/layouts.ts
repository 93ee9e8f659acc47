/** Layouts from a worker; small ones are done before a worker would have started. */

import { WorkerPool } from "$public/core";
import { LayoutEngine } from "./layout";
import type { jobs } from "./layout_worker";
import type { LayoutRequest, LayoutResult } from "./types";

/** Boxes and edges that the page lays out itself, in about a millisecond. */
const MAX_ON_PAGE = 150;

const engine = new LayoutEngine();
// One worker: its cache has the groups that stay as they are.
const pool = new WorkerPool<typeof jobs>(
  () => new Worker(new URL("./layout_worker.ts", import.meta.url), { type: "module" }),
  { maxWorkers: 1 },
);

/** Rejects with the reason of the signal; abort a request that a newer one replaces. */
export function requestLayout(request: LayoutRequest, signal: AbortSignal): Promise<LayoutResult> {
  if (request.boxes.length + request.edges.source.length > MAX_ON_PAGE) return pool.run("layOut", request, { signal });
  return Promise.resolve(engine.layOut(request));
}
