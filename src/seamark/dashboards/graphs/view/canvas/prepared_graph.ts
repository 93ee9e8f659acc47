/** What is computed once for a graph and its layout, however often it is drawn. */

import { placeEdgeLabels, type EdgeLabel } from "./edge_labels";
import { bundlesOf, edgeBounds, edgeLabels } from "./edges";
import type { Scene } from "./scene";
import { headerLinesOf } from "./headers";
import { elide } from "./text";

export class PreparedGraph {
  readonly depth: Int32Array;
  readonly bounds: Float64Array;
  readonly isBundle: Uint8Array;
  #edgeLabels: readonly EdgeLabel[] | undefined;
  readonly #names = new Map<string, string>();
  readonly #rooms = new Map<number, number>();
  #headerLines: ReadonlyMap<number, readonly number[]> | undefined;

  constructor(private readonly scene: Pick<Scene, "graph" | "layout">) {
    const { graph, layout } = scene;
    this.depth = new Int32Array(graph.boxes.id.length);
    graph.boxes.parent.forEach((parent, box) => (this.depth[box] = parent < 0 ? 0 : this.depth[parent]! + 1));
    this.bounds = edgeBounds(layout);
    this.isBundle = bundlesOf(graph);
  }

  /** Computed when the picture is large enough for them. */
  get edgeLabels(): readonly EdgeLabel[] {
    const { graph } = this.scene;
    this.#edgeLabels ??= placeEdgeLabels(this.scene, edgeLabels(graph, this.isBundle));
    return this.#edgeLabels;
  }

  /** Where edges cross the header of an open group, from the left. */
  headerLines(group: number): readonly number[] {
    this.#headerLines ??= headerLinesOf(this.scene);
    return this.#headerLines.get(group) ?? [];
  }

  /** From the right side of a box to the next box there; Infinity if there is none. */
  roomBeside(box: number): number {
    let room = this.#rooms.get(box);
    if (room === undefined) this.#rooms.set(box, (room = this.#findRoom(box)));
    return room;
  }

  #findRoom(box: number): number {
    const { rects } = this.scene.layout;
    const rectOf = (each: number): Float64Array => rects.subarray(4 * each, 4 * each + 4);
    const [x, y, width, height] = rectOf(box) as unknown as [number, number, number, number];
    let room = Infinity;
    for (let other = 0; other < rects.length / 4; other += 1) {
      const [left, top, , high] = rectOf(other) as unknown as [number, number, number, number];
      // The groups around a box begin left of it.
      if (left >= x + width && top < y + height && top + high > y) room = Math.min(room, left - x - width);
    }
    return room;
  }

  elided(text: string, room: number, size: number, weight: number): string {
    const key = `${Math.round(room)} ${size} ${weight} ${text}`;
    let name = this.#names.get(key);
    if (name === undefined) this.#names.set(key, (name = elide(text, room, size, weight)));
    return name;
  }
}
