/** Lays out graphs away from the page. The worker lives as long as the page, so its cache of groups does, too. */

import { serveJobs } from "$public/worker";
import { LayoutEngine } from "./layout";
import type { LayoutRequest, LayoutResult } from "./types";

const engine = new LayoutEngine();

export const jobs = { layOut: (request: LayoutRequest): LayoutResult => engine.layOut(request) };

serveJobs(jobs);
