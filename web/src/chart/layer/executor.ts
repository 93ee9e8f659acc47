/** Where drawing happens: in a worker with the canvas handed over to it, or in the page where that is not possible. */

import { Painter, type Change } from "../paint/painter";
import type { Order, Report } from "./protocol";

export interface Executor {
  attach(card: number, canvas: HTMLCanvasElement): void;
  paint(card: number, change: Change, transfer: Transferable[]): void;
  dispose(card: number): void;
  close(): void;
}

export type OnReport = (report: Report) => void;

export function canUseWorkers(): boolean {
  return typeof Worker !== "undefined" && typeof OffscreenCanvas !== "undefined" && "transferControlToOffscreen" in HTMLCanvasElement.prototype;
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

export function pageExecutor(onReport: OnReport): Executor {
  const painters = new Map<number, Painter>();
  return {
    attach: (card, canvas) => void painters.set(card, new Painter(canvas)),
    paint(card, change) {
      const painter = painters.get(card);
      painter?.apply(change);
      // One card for each turn of the event loop: the page stays alive while nine are drawn.
      setTimeout(() => {
        const start = performance.now();
        painter?.paint();
        onReport({ card, millis: performance.now() - start, error: "" });
      });
    },
    dispose: (card) => void painters.delete(card),
    close: () => painters.clear(),
  };
}
