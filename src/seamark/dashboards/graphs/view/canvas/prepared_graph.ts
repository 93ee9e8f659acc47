/** What is computed once for a graph and its layout, however often it is drawn. */

import { bundlesOf, edgeBounds, edgeLabels } from "./edges";
import type { Scene } from "./scene";
import { elide } from "./text";

export class PreparedGraph {
  readonly depth: Int32Array;
  readonly bounds: Float64Array;
  readonly isBundle: Uint8Array;
  readonly labels: readonly string[];
  readonly #names = new Map<string, string>();

  constructor({ graph, layout }: Pick<Scene, "graph" | "layout">) {
    this.depth = new Int32Array(graph.boxes.id.length);
    graph.boxes.parent.forEach((parent, box) => (this.depth[box] = parent < 0 ? 0 : this.depth[parent]! + 1));
    this.bounds = edgeBounds(layout);
    this.isBundle = bundlesOf(graph);
    this.labels = edgeLabels(graph, this.isBundle);
  }

  elided(text: string, room: number, size: number, weight: number): string {
    const key = `${Math.round(room)} ${size} ${weight} ${text}`;
    let name = this.#names.get(key);
    if (name === undefined) this.#names.set(key, (name = elide(text, room, size, weight)));
    return name;
  }
}
