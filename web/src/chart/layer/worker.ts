/** Draws the cards it is given, away from the page's own thread. */

import { Painter } from "../paint/painter";
import type { Order, Report } from "./protocol";

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<Order>) => void) | null;
  postMessage(report: Report): void;
};
const painters = new Map<number, Painter>();

scope.onmessage = ({ data: order }) => {
  if (order.kind === "attach") painters.set(order.card, new Painter(order.canvas));
  else if (order.kind === "dispose") painters.delete(order.card);
  else scope.postMessage(paint(order));
};

function paint({ card, change }: Extract<Order, { kind: "paint" }>): Report {
  const start = performance.now();
  let error = "";
  try {
    const painter = painters.get(card);
    painter?.apply(change);
    painter?.paint();
  } catch (failure) {
    error = String(failure);
  }
  return { card, millis: performance.now() - start, error };
}
