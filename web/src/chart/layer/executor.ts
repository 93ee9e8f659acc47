/** Drawing in a worker, with the canvas handed over to it. */

import type { Executor, OnReport } from "./page_executor";
import type { Order, Report } from "./protocol";

export function canUseWorkers(): boolean {
  return (
    typeof Worker !== "undefined" &&
    typeof OffscreenCanvas !== "undefined" &&
    "transferControlToOffscreen" in HTMLCanvasElement.prototype
  );
}

export function workerExecutor(onReport: OnReport, onLost: () => void): Executor {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  const send = (order: Order, transfer: Transferable[] = []): void => worker.postMessage(order, transfer);
  worker.onmessage = ({ data }: MessageEvent<Report>) => onReport(data);
  worker.onerror = onLost;
  return {
    attach(card, canvas) {
      const offscreen = canvas.transferControlToOffscreen();
      send({ kind: "attach", card, canvas: offscreen }, [offscreen]);
    },
    paint: (card, change, transfer) => send({ kind: "paint", card, change }, transfer),
    dispose: (card) => send({ kind: "dispose", card }),
    close: () => worker.terminate(),
  };
}
