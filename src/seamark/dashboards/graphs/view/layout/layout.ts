/**
 * The layout of all visible boxes: every open group on its own, the innermost first; then it is a box in its parent. Groups
 * that have not changed come from a cache, so opening one lays out only it and those around it.
 */

import { placeLevel, planLevel, type Level, type LevelPlan } from "./level";
import type { Sizes } from "./part";
import { LevelBuilder, type LevelInput } from "./levels";
import { RouteBuilder } from "./routes";
import { HEADER_PX, PADDING_PX, type LayoutRequest, type LayoutResult } from "./types";

interface CachedLevel {
  readonly planKey: string;
  readonly plan: LevelPlan;
  readonly sizeKey: string;
  readonly level: Level;
  readonly order: ReadonlyMap<string, number>;
}

const MAX_CACHED = 5000;
/** Between the header and the first row, where no edge enters. */
const QUIET_TOP_PX = 10;
const ASIDE_GAP_PX = 32;
const ASIDE_BOX_GAP_PX = 10;
const MIN_ASIDE_HEIGHT_PX = 240;

export class LayoutEngine {
  #cacheKey = "";
  readonly #cache = new Map<string, CachedLevel>();

  layOut(request: LayoutRequest): LayoutResult {
    if (request.cacheKey !== this.#cacheKey || this.#cache.size > MAX_CACHED) this.#cache.clear();
    this.#cacheKey = request.cacheKey;
    return new LayoutPass(request, (id, level, sizes) => this.#placed(id, level, sizes)).run();
  }

  #placed(id: string, level: LevelInput, sizes: Sizes): { readonly level: Level; readonly isNew: boolean } {
    const cached = this.#cache.get(id);
    const { from, to, entries, exits } = level.graph;
    const planKey = `${level.ids.join("\n")}\n${entries};${exits};${from.join()};${to.join()}`;
    const sizeKey = [sizes.width, sizes.height, sizes.entry, sizes.exit].map((column) => column.join()).join(";");
    const isSamePlan = cached?.planKey === planKey;
    if (isSamePlan && cached.sizeKey === sizeKey) return { level: cached.level, isNew: false };
    const plan = isSamePlan ? cached.plan : planLevel(level.graph, seedOf(level.ids, cached?.order));
    const placed = placeLevel(plan, sizes);
    const order = isSamePlan ? cached.order : new Map(level.ids.map((each, index) => [each, placed.left[index]!]));
    this.#cache.set(id, { planKey, plan, sizeKey, level: placed, order });
    return { level: placed, isNew: true };
  }
}

/** Boxes keep the order they had; new ones come right after the one before them. */
function seedOf(ids: readonly string[], order: ReadonlyMap<string, number> | undefined): Float64Array {
  let last = 0;
  return Float64Array.from(ids, (id, index) => (order ? (last = order.get(id) ?? last + 1e-6) : index));
}

type Place = (id: string, level: LevelInput, sizes: Sizes) => { readonly level: Level; readonly isNew: boolean };

/** One run of the layout. Group -1, the whole graph, is at index 0 of `levels`, group g at g + 1. */
class LayoutPass {
  readonly #rects: Float64Array;
  /** By group: its ports, from its centre. */
  readonly #entry: (Float64Array | undefined)[] = [];
  readonly #exit: (Float64Array | undefined)[] = [];
  readonly #builder: LevelBuilder;
  readonly #levels: readonly (LevelInput | null)[];
  readonly #placed: (Level | null)[];
  /** Where the content of a group begins: x and y in its own rectangle. */
  readonly #origin: Float64Array;
  #changedGroups = 0;

  constructor(
    private readonly request: LayoutRequest,
    private readonly place: Place,
  ) {
    const count = request.boxes.length;
    this.#rects = new Float64Array(4 * count);
    this.#builder = new LevelBuilder(request);
    this.#levels = this.#builder.levels();
    this.#placed = Array.from({ length: count + 1 }, () => null);
    this.#origin = new Float64Array(2 * (count + 1));
  }

  run(): LayoutResult {
    const { boxes } = this.request;
    for (let box = boxes.length - 1; box >= 0; box -= 1) {
      const { width, height, isOpen } = boxes[box]!;
      if (isOpen) this.#layOutGroup(box);
      else this.#rects.set([0, 0, width, height], 4 * box);
    }
    const [width, height] = this.#layOutChildren(-1);
    this.#makeAbsolute();
    const { pointStarts, points } = this.#routeEdges();
    return { rects: this.#rects, pointStarts, points, width, height, changedGroups: this.#changedGroups };
  }

  #layOutGroup(group: number): void {
    const [width, height] = this.#layOutChildren(group);
    const least = this.request.boxes[group]!.width;
    const full = 2 * Math.ceil(Math.max(least, width + 2 * PADDING_PX) / 2);
    const originX = Math.round((full - width) / 2);
    const hasEntry = (this.#levels[group + 1]?.graph.entries ?? 0) > 0;
    const originY = HEADER_PX + (hasEntry ? 0 : QUIET_TOP_PX);
    this.#origin.set([originX, originY], 2 * (group + 1));
    this.#rects.set([0, 0, full, originY + height + PADDING_PX - 2], 4 * group);
    this.#entry[group] = this.#placed[group + 1]?.entryX.map((x) => originX + x - full / 2);
    this.#exit[group] = this.#placed[group + 1]?.exitX.map((x) => originX + x - full / 2);
  }

  /** Sets the positions of the children in the content of their group. Returns the size of the content. */
  #layOutChildren(group: number): [width: number, height: number] {
    const input = this.#levels[group + 1];
    if (!input) return [0, 0];
    const { children, asides } = input;
    const sizes = {
      width: Float64Array.from(children, (box) => this.#rects[4 * box + 2]!),
      height: Float64Array.from(children, (box) => this.#rects[4 * box + 3]!),
      exit: this.#portsOf(input, input.graph.from, input.exitPort, this.#exit),
      entry: this.#portsOf(input, input.graph.to, input.entryPort, this.#entry),
    };
    const id = group < 0 ? "" : this.request.boxes[group]!.id;
    const { level, isNew } = this.place(id, input, sizes);
    if (isNew) this.#changedGroups += 1;
    this.#placed[group + 1] = level;
    children.forEach((box, index) => {
      this.#rects[4 * box] = level.left[index]!;
      this.#rects[4 * box + 1] = level.top[index]!;
    });
    return this.#placeAsides(asides, level);
  }

  /** By edge of a level: the port of its end, or NaN. */
  #portsOf(
    { children }: LevelInput,
    ends: Int32Array,
    ports: Int32Array,
    offsets: readonly (Float64Array | undefined)[],
  ): Float64Array {
    return Float64Array.from(ports, (port, edge) => (port < 0 ? NaN : offsets[children[ends[edge]!]!]![port]!));
  }

  /** In columns at the right, as high as the rest. */
  #placeAsides(asides: readonly number[], level: Level): [width: number, height: number] {
    const room = Math.max(level.height, MIN_ASIDE_HEIGHT_PX);
    let [left, right, y, height] = [level.width > 0 ? level.width + ASIDE_GAP_PX : 0, level.width, 0, level.height];
    for (const box of asides) {
      const [wide, high] = [this.#rects[4 * box + 2]!, this.#rects[4 * box + 3]!];
      if (y > 0 && y + high > room) [left, y] = [right + ASIDE_GAP_PX, 0];
      this.#rects[4 * box] = left;
      this.#rects[4 * box + 1] = y;
      right = Math.max(right, left + wide);
      height = Math.max(height, y + high);
      y += high + ASIDE_BOX_GAP_PX;
    }
    return [right, height];
  }

  #makeAbsolute(): void {
    this.request.boxes.forEach(({ parent }, box) => {
      if (parent < 0) return;
      this.#rects[4 * box]! += this.#rects[4 * parent]! + this.#origin[2 * (parent + 1)]!;
      this.#rects[4 * box + 1]! += this.#rects[4 * parent + 1]! + this.#origin[2 * (parent + 1) + 1]!;
    });
  }

  #routeEdges(): { pointStarts: Int32Array; points: Float64Array } {
    const routes = new RouteBuilder();
    const { source, target } = this.request.edges;
    for (let edge = 0; edge < source.length; edge += 1) {
      const pieces = this.#builder.piecesOf(edge);
      if (source[edge] === target[edge]) this.#loop(routes, source[edge]!);
      else if (pieces) for (const { group, route } of pieces) this.#append(routes, group, route);
      else this.#direct(routes, source[edge]!, target[edge]!);
      routes.end();
    }
    return routes.build();
  }

  #append(into: RouteBuilder, group: number, route: number): void {
    const [left, top] = group < 0 ? [0, 0] : [this.#rects[4 * group]!, this.#rects[4 * group + 1]!];
    const at = 2 * (group + 1);
    into.append(this.#placed[group + 1]!.routes, route, left + this.#origin[at]!, top + this.#origin[at + 1]!);
  }

  #loop(into: RouteBuilder, box: number): void {
    const [left, top, width, height] = this.#rects.subarray(4 * box, 4 * box + 4);
    const right = left! + width!;
    into.add(right, top! + height! * 0.7);
    into.add(right + 10, top! + height! * 0.7);
    into.add(right + 10, top! + height! * 0.3);
    into.add(right, top! + height! * 0.3);
  }

  /** From side to side, for boxes that are set aside: their edges are drawn only on demand. */
  #direct(into: RouteBuilder, source: number, target: number): void {
    const rects = this.#rects;
    const isLeft = rects[4 * source]! <= rects[4 * target]!;
    const side = (box: number, isRight: boolean): void =>
      into.add(rects[4 * box]! + (isRight ? rects[4 * box + 2]! : 0), rects[4 * box + 1]! + rects[4 * box + 3]! / 2);
    side(source, isLeft);
    side(target, !isLeft);
  }
}
