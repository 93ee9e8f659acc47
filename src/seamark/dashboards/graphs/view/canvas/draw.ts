/** Draws a scene with any pen, in the plane of the layout. Only what lies in `visible` is drawn. */

import { HEADER_PX } from "../layout/types";
import { LABEL_SIZE_PX } from "./edge_labels";
import { placeBetween } from "./headers";
import { traceArrow, traceEdge, traceStraight } from "./edges";
import type { GraphColours } from "./colours";
import type { Pen } from "./pen";
import type { PreparedGraph } from "./prepared_graph";
import type { Scene } from "./scene";
import { textWidth } from "./text";

export interface Visible {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** Pixels for each unit of the plane. */
  readonly zoom: number;
}

/** Below these zooms a detail is smaller than people can see. */
const MIN_TEXT_ZOOM = 0.42;
const MIN_LABEL_ZOOM = 0.6;
const MIN_ARROW_ZOOM = 0.3;
const MIN_CURVE_ZOOM = 0.2;
const MIN_ROUND_ZOOM = 0.3;
/** No label of an edge is wider. */
const LABEL_ROOM_PX = 200;
/** Lines stay at least so wide on the screen. */
const MIN_LINE_PX = 0.5;
const EDGE_PX = 1.2;
const BUNDLE_PX = 3;
const TRACE_PX = 1.8;
/** Where the word of a warning begins, from the box. */
const WARNING_TEXT_PX = 28;
const FAR_WARNING_PX = 4;
/** A plate under a word that reaches over the border of its group. */
const PLATE_GAP_PX = 6;
const PLATE_HEIGHT_PX = 18;

export function drawScene(
  pen: Pen,
  scene: Scene,
  prepared: PreparedGraph,
  colours: GraphColours,
  visible: Visible,
): void {
  const drawing = new Drawing(pen, scene, prepared, colours, visible);
  drawing.openGroups();
  drawing.edges();
  drawing.headers();
  drawing.boxes();
}

class Drawing {
  readonly #selected: number;
  readonly #candidate: number;

  constructor(
    private readonly pen: Pen,
    private readonly scene: Scene,
    private readonly prepared: PreparedGraph,
    private readonly colours: GraphColours,
    private readonly visible: Visible,
  ) {
    const boxOf = (id: string | null): number => (id === null ? -1 : scene.graph.boxes.id.indexOf(id));
    this.#selected = boxOf(scene.selected);
    this.#candidate = boxOf(scene.candidate);
  }

  openGroups(): void {
    this.#eachBox(true, (box) => this.#openGroup(box));
  }

  /** Above the edges, which cross them. */
  headers(): void {
    if (this.visible.zoom >= MIN_TEXT_ZOOM) this.#eachBox(true, (box) => this.#header(box));
  }

  boxes(): void {
    this.#eachBox(false, (box) => this.#box(box));
  }

  edges(): void {
    const { layout, trace, graph } = this.scene;
    const { text3, accent } = this.colours.named;
    const lists: Record<"plain" | "control" | "bundle" | "traced", number[]> = { plain: [], control: [], bundle: [], traced: [] }; // prettier-ignore
    const shown = this.#visibleEdges();
    shown.forEach((edge) => {
      const [source, target] = [graph.edges.source[edge]!, graph.edges.target[edge]!];
      const isTraced = trace.has(graph.boxes.id[source]!) && trace.has(graph.boxes.id[target]!);
      if (isTraced) lists.traced.push(edge);
      else if (graph.edges.is_control[edge]) lists.control.push(edge);
      else (this.prepared.isBundle[edge] ? lists.bundle : lists.plain).push(edge);
    });
    const least = MIN_LINE_PX / this.visible.zoom;
    const traceLine = this.visible.zoom < MIN_CURVE_ZOOM ? traceStraight : traceEdge;
    const stroke = (edges: readonly number[], colour: string, width: number, dash?: readonly number[]): void => {
      if (edges.length === 0) return;
      const paint = { stroke: colour, width: Math.max(width, least), ...(dash ? { dash } : {}) };
      this.pen.path((sink) => edges.forEach((edge) => traceLine(layout, edge, sink)), paint);
      if (this.visible.zoom < MIN_ARROW_ZOOM) return;
      const size = width > 2 ? 8 : 6;
      this.pen.path((sink) => edges.forEach((edge) => traceArrow(layout, edge, size, sink)), { fill: colour });
    };
    stroke(lists.plain, text3, EDGE_PX);
    stroke(lists.control, text3, EDGE_PX, [3, 3]);
    stroke(lists.bundle, text3, BUNDLE_PX);
    const isBundle = (edge: number): boolean => this.prepared.isBundle[edge] === 1;
    stroke(lists.traced.filter((edge) => !isBundle(edge)), accent, TRACE_PX); // prettier-ignore
    stroke(lists.traced.filter(isBundle), accent, BUNDLE_PX);
    if (this.visible.zoom >= MIN_LABEL_ZOOM) this.#edgeLabels(shown);
  }

  /** Edges of boxes at the side are drawn while one of their ends is selected. */
  #visibleEdges(): number[] {
    const { boxes, edges } = this.scene.graph;
    const { left, top, right, bottom } = this.visible;
    const { bounds } = this.prepared;
    const shown: number[] = [];
    for (let edge = 0; edge < edges.source.length; edge += 1) {
      const at = 4 * edge;
      if (bounds[at]! > right || bounds[at + 2]! < left || bounds[at + 1]! > bottom || bounds[at + 3]! < top) continue;
      const [source, target] = [edges.source[edge]!, edges.target[edge]!];
      const isQuiet = boxes.is_aside[source] || boxes.is_aside[target];
      if (!isQuiet || source === this.#selected || target === this.#selected) shown.push(edge);
    }
    return shown;
  }

  #edgeLabels(shown: readonly number[]): void {
    const style = { size: LABEL_SIZE_PX, weight: 400, fill: this.colours.named.text2 };
    const drawn = new Set(shown);
    for (const { edge, x, y, text, align } of this.prepared.edgeLabels) {
      const isSeen = drawn.has(edge) && this.#isVisible(x - LABEL_ROOM_PX, y, 2 * LABEL_ROOM_PX, LABEL_SIZE_PX);
      if (isSeen) this.pen.text(x, y, text, { ...style, align });
    }
  }

  #eachBox(isOpen: boolean, draw: (box: number) => void): void {
    const { rects } = this.scene.layout;
    const { is_open: opened } = this.scene.graph.boxes;
    for (let box = 0; box < opened.length; box += 1)
      if (opened[box] === isOpen && this.#isVisible(rects[4 * box]!, rects[4 * box + 1]!, rects[4 * box + 2]!, rects[4 * box + 3]!))
        draw(box); // prettier-ignore
  }

  #isVisible(x: number, y: number, width: number, height: number): boolean {
    const { left, top, right, bottom } = this.visible;
    return x <= right && y <= bottom && x + width >= left && y + height >= top;
  }

  #openGroup(box: number): void {
    const [x, y, width, height] = this.#rectOf(box);
    const fill = this.#backgroundOf(box);
    this.#ring(box, x, y, width, height);
    this.pen.rect(x + 0.5, y + 0.5, width - 1, height - 1, this.#radius(5), { fill, ...this.#outline(box) });
  }

  /** The name stays on screen while any of its group does, though the left side of the group may not. */
  #header(box: number): void {
    const { graph, texts } = this.scene;
    const { text, text3 } = this.colours.named;
    const [left, y, fullWidth] = this.#rectOf(box);
    const right = texts[box] ?? "";
    const rightWidth = right ? textWidth(right, 11, 400) + 12 : 0;
    const least = 35 + textWidth(graph.boxes.label[box]!, 12, 600) + rightWidth;
    const x = Math.max(left, Math.min(this.visible.left, left + fullWidth - least));
    const room = left + fullWidth - x - 34 - rightWidth;
    const halo = this.#backgroundOf(box);
    const middle = y + HEADER_PX / 2;
    this.#chevron(x + 10, middle - 2, true, text3);
    const name = this.prepared.elided(graph.boxes.label[box]!, room, 12, 600);
    const nameWidth = textWidth(name, 12, 600);
    const lines = this.prepared.headerLines(box);
    const end = left + fullWidth - rightWidth - 10;
    // A name that has no room beside the lines stands on them.
    const nameX = placeBetween(lines, { left: x + 24, right: end, width: nameWidth }) ?? x + 24;
    this.pen.text(nameX, middle, name, { size: 12, weight: 600, fill: text, align: "left", halo });
    const small = { size: 11, weight: 400, fill: text3, halo };
    const opX = nameX + nameWidth + 6;
    const op = this.prepared.elided(graph.boxes.op[box]!, x + 24 + room - opX, 11, 400);
    const opPlace = placeBetween(lines, { left: opX, right: end, width: textWidth(op, 11, 400) });
    // The class of a group belongs beside its name; the tooltip and the outline have it, too.
    if (op && opPlace === opX) this.pen.text(opX, middle, op, { ...small, align: "left" });
    if (right) this.pen.text(left + fullWidth - 10, middle, right, { ...small, align: "right" });
  }

  #rectOf(box: number): [x: number, y: number, width: number, height: number] {
    const { rects } = this.scene.layout;
    return [rects[4 * box]!, rects[4 * box + 1]!, rects[4 * box + 2]!, rects[4 * box + 3]!];
  }

  /** Of an open group; -1 is the whole graph. Nested groups alternate. */
  #backgroundOf(group: number): string {
    const { surface, bg } = this.colours.named;
    return group >= 0 && this.prepared.depth[group]! % 2 === 0 ? surface : bg;
  }

  #box(box: number): void {
    const { graph, fills } = this.scene;
    const { surface } = this.colours.named;
    const [x, y, width, height] = this.#rectOf(box);
    const type = graph.boxes.type[box]!;
    const { fill, ink } = this.colours.fillOf(fills[box] ?? "", type !== "op");
    if (type === "series")
      for (const offset of [6, 3])
        this.pen.rect(x + offset, y + offset, width, height, this.#radius(3), { fill, stroke: surface });
    this.#ring(box, x, y, width, height);
    this.pen.rect(x + 0.5, y + 0.5, width - 1, height - 1, this.#radius(3), { fill, ...this.#outline(box) });
    if (this.visible.zoom < MIN_TEXT_ZOOM) return this.#farWarning(box, x + width, y);
    this.#boxTexts(box, [x, y, width, height], ink);
    this.#hop(box, x, y + height / 2);
    this.#warning(box, [x, y, width, height]);
  }

  #boxTexts(box: number, [x, y, width, height]: readonly [number, number, number, number], ink: string): void {
    const { graph, texts } = this.scene;
    const isGroup = graph.boxes.type[box] !== "op";
    const repeat = graph.boxes.repeat[box]! > 1 ? `×${graph.boxes.repeat[box]}` : "";
    const start = isGroup ? 22 : 8;
    const weight = isGroup || box === this.#selected ? 600 : 400;
    const middle = y + height / 2 + 0.5;
    let right = [repeat, texts[box] ?? ""].filter(Boolean).join(" · ");
    const label = graph.boxes.label[box]!;
    const room = width - start - 8;
    if (right && textWidth(label, 12, weight) + textWidth(right, 11, 400) + 8 > room) right = repeat;
    if (isGroup) this.#chevron(x + 10, y + height / 2, false, ink);
    if (!right && !isGroup) {
      const name = this.prepared.elided(label, width - 12, 12, weight);
      return this.pen.text(x + width / 2, middle, name, { size: 12, weight, fill: ink, align: "center" });
    }
    const name = this.prepared.elided(label, room - (right ? textWidth(right, 11, 400) + 8 : 0), 12, weight);
    this.pen.text(x + start, middle, name, { size: 12, weight, fill: ink, align: "left" });
    if (right) this.pen.text(x + width - 8, middle, right, { size: 11, weight: 400, fill: ink, align: "right" });
  }

  /** Round corners cost time and cannot be seen from far away. */
  #radius(radius: number): number {
    return this.visible.zoom < MIN_ROUND_ZOOM ? 0 : radius;
  }

  #outline(box: number): { stroke: string; width: number } {
    const { differences, trace, graph } = this.scene;
    const { named } = this.colours;
    const least = MIN_LINE_PX / this.visible.zoom;
    const difference = differences?.[box];
    if (difference) return { stroke: named[difference], width: Math.max(2, least) };
    const isTraced = trace.has(graph.boxes.id[box]!);
    return { stroke: isTraced ? named.accent : named.line, width: Math.max(1, least) };
  }

  #ring(box: number, x: number, y: number, width: number, height: number): void {
    if (box !== this.#selected && box !== this.#candidate) return;
    const { surface, accent } = this.colours.named;
    const dash = box === this.#candidate ? { dash: [4, 3] } : {};
    const paint = { fill: surface, stroke: accent, width: Math.max(2, 1.5 / this.visible.zoom), ...dash };
    this.pen.rect(x - 3.5, y - 3.5, width + 7, height + 7, this.#radius(6), paint);
  }

  #chevron(x: number, y: number, isOpen: boolean, stroke: string): void {
    this.pen.path(
      (sink) => {
        sink.moveTo(x, isOpen ? y : y - 3.5);
        sink.lineTo(x + 3.5, isOpen ? y + 3.5 : y);
        sink.lineTo(x + (isOpen ? 7 : 0), isOpen ? y : y + 3.5);
      },
      { stroke, width: 1.4 },
    );
  }

  #hop(box: number, x: number, middle: number): void {
    const hop = this.scene.trace.get(this.scene.graph.boxes.id[box]!);
    if (!hop) return;
    const { surface, accent } = this.colours.named;
    this.pen.circle(x - 14, middle, 7.5, { fill: surface, stroke: accent });
    this.pen.text(x - 14, middle + 0.5, String(hop), { size: 10, weight: 400, fill: accent, align: "center" });
  }

  /** Beside the box; where another box is too near for the word, a sign on the corner. */
  #warning(box: number, [x, y, width, height]: readonly [number, number, number, number]): void {
    const warning = this.scene.warnings?.get(this.scene.graph.boxes.id[box]!);
    if (!warning) return;
    const style = { size: 11, weight: 400, fill: this.colours.named.warn, align: "left" } as const;
    const needed = WARNING_TEXT_PX + textWidth(warning, style.size, style.weight);
    if (this.prepared.roomBeside(box) < needed) return this.#warningSign(x + width - 10, y - 7);
    const middle = y + height / 2;
    const group = this.scene.graph.boxes.parent[box]!;
    const [left, , groupWidth] = group < 0 ? [0, 0, Infinity] : this.#rectOf(group);
    if (x + width + needed > left + groupWidth) {
      const paint = { fill: this.colours.named.surface, stroke: this.colours.named.line };
      this.pen.rect(x + width + PLATE_GAP_PX, middle - PLATE_HEIGHT_PX / 2, needed, PLATE_HEIGHT_PX, 4, paint);
    }
    this.#warningSign(x + width + 10, middle - 7);
    this.pen.text(x + width + WARNING_TEXT_PX, middle + 0.5, warning, style);
  }

  /** As large on the screen from any distance. */
  #farWarning(box: number, x: number, y: number): void {
    if (!this.scene.warnings?.has(this.scene.graph.boxes.id[box]!)) return;
    const { warn, surface } = this.colours.named;
    const pixel = 1 / this.visible.zoom;
    this.pen.circle(x, y, FAR_WARNING_PX * pixel, { fill: warn, stroke: surface, width: pixel });
  }

  #warningSign(x: number, y: number): void {
    const { warn, warnSoft } = this.colours.named;
    this.pen.path(
      (sink) => {
        sink.moveTo(x + 7, y + 1);
        sink.lineTo(x + 13, y + 12.5);
        sink.lineTo(x + 1, y + 12.5);
        sink.lineTo(x + 7, y + 1);
      },
      { fill: warnSoft, stroke: warn, width: 1.3 },
    );
    this.pen.path(
      (sink) => {
        sink.moveTo(x + 7, y + 5);
        sink.lineTo(x + 7, y + 8.5);
        sink.moveTo(x + 7, y + 10.2);
        sink.lineTo(x + 7, y + 10.8);
      },
      { stroke: warn, width: 1.4 },
    );
  }
}
