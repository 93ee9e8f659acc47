/** What the page and a drawing worker say to each other. */

import type { Change } from "../paint/painter";

export type Order =
  | { readonly kind: "attach"; readonly card: number; readonly canvas: OffscreenCanvas }
  | { readonly kind: "paint"; readonly card: number; readonly change: Change }
  | { readonly kind: "dispose"; readonly card: number };

export interface Report {
  readonly card: number;
  /** Time spent drawing. */
  readonly millis: number;
  readonly error: string;
}
