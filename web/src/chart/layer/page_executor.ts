/** Where drawing happens: in a worker (see executor.ts), or in the page itself, where the picture is small or there are no workers. */

import { Painter, type Change } from "../paint/painter";
import type { Report } from "./protocol";

export interface Executor {
  attach(card: number, canvas: HTMLCanvasElement): void;
  paint(card: number, change: Change, transfer: Transferable[]): void;
  dispose(card: number): void;
  close(): void;
}

export type OnReport = (report: Report) => void;

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
        let error = "";
        try {
          painter?.paint();
        } catch (failure) {
          error = String(failure);
        }
        onReport({ card, millis: performance.now() - start, error });
      });
    },
    dispose: (card) => void painters.delete(card),
    close: () => painters.clear(),
  };
}
