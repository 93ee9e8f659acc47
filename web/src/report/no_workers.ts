/** Stands in for chart/layer/executor.ts: a page that is one file draws its charts itself. */

import type { Executor } from "../chart/layer/page_executor";

export const canUseWorkers = (): boolean => false;

export function workerExecutor(): Executor {
  throw new Error("a report has no workers");
}
