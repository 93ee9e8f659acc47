/** What was logged, made fit to draw: checked numbers, and a sentence for whatever had to be left out. */

import { format, type TagEntry } from "$public/core";
import type { FileEntry as MeshFile, LoggedMesh, PartSteps } from "./wire_types";

export type { LoggedMesh, MeshFile, PartSteps };

export const PARTS = ["VERTEX", "FACE", "COLOR"] as const;
export type PartName = (typeof PARTS)[number];

/** A card: a mesh that was logged, or a file. */
export interface Item {
  readonly key: string;
  readonly tag: string;
  readonly run: string;
  readonly logged?: LoggedMesh;
  readonly file?: MeshFile;
}

function itemsOf(meshes: readonly LoggedMesh[], files: readonly MeshFile[]): Item[] {
  return [
    ...meshes.map((logged) => ({ key: `m\n${logged.run}\n${logged.name}`, tag: logged.name, run: logged.run, logged })),
    ...files.map((file) => ({ key: `f\n${file.run}\n${file.path}`, tag: file.path, run: file.run, file })),
  ];
}

export interface MeshTag extends TagEntry {
  readonly items: readonly Item[];
}

/** A logged mesh and a file of the same name are one tag. */
export function tagsOf(meshes: readonly LoggedMesh[], files: readonly MeshFile[]): MeshTag[] {
  const byTag = new Map<string, Item[]>();
  for (const item of itemsOf(meshes, files)) byTag.set(item.tag, [...(byTag.get(item.tag) ?? []), item]);
  return [...byTag].map(([tag, items]) => ({ tag, items, runs: [...new Set(items.map(({ run }) => run))] }));
}

export const cardsOf = ({ items }: MeshTag, shown: readonly string[]): Item[] =>
  shown.flatMap((run) => items.filter((item) => item.run === run));

/** What a card draws. */
export interface Shape {
  /** x, y, z of each vertex; all finite. */
  readonly positions: Float32Array;
  /** Three vertices a face; without it a cloud of points. */
  readonly faces?: Uint32Array;
  /** Red, green, blue of each vertex. */
  readonly colours?: Uint8Array;
  /** Further numbers of each vertex, by name. */
  readonly scalars: Readonly<Record<string, Float32Array>>;
  readonly bounds: Bounds;
  /** What had to be left out, each a sentence. */
  readonly remarks: readonly string[];
}

export interface Bounds {
  readonly min: readonly [number, number, number];
  readonly max: readonly [number, number, number];
  readonly centre: readonly [number, number, number];
  /** Of the sphere around all; never 0. */
  readonly radius: number;
}

export interface Raw {
  readonly positions: Float32Array;
  readonly faces?: ArrayLike<number>;
  readonly colours?: Uint8Array;
  readonly scalars?: Readonly<Record<string, Float32Array>>;
}

const plural = (count: number, one: string, many: string): string =>
  `${format.count(count)} ${count === 1 ? one : many}`;

/** Leaves out what cannot be drawn, and says so: vertices that are no numbers, faces that name vertices there are not. */
export function checked(raw: Raw): Shape {
  const count = Math.floor(raw.positions.length / 3);
  const remarks: string[] = [];
  const finite = new Uint8Array(count);
  let whole = 0;
  for (let v = 0; v < count; v += 1) {
    const sum = raw.positions[3 * v]! + raw.positions[3 * v + 1]! + raw.positions[3 * v + 2]!;
    if (Number.isFinite(sum)) {
      finite[v] = 1;
      whole += 1;
    }
  }
  if (whole < count) remarks.push(`${plural(count - whole, "vertex is", "vertices are")} not finite and left out.`);
  const coloured = raw.colours === undefined || raw.colours.length === raw.positions.length;
  if (!coloured)
    remarks.push(`The colours do not fit: got ${raw.colours!.length / 3}, want ${count}; shown without them.`);
  const colours = coloured ? raw.colours : undefined;
  const faces = raw.faces && raw.faces.length > 0 ? checkedFaces(raw.faces, finite, remarks) : undefined;
  // Points that are no numbers are dropped; in a mesh they stay as numbers nobody looks at, or faces would shift.
  if (whole < count && !faces) {
    const keep = (values: Float32Array, size: number): Float32Array =>
      values.filter((_, i) => finite[Math.floor(i / size)] === 1);
    const scalars = Object.fromEntries(
      Object.entries(raw.scalars ?? {}).map(([name, values]) => [name, keep(values, 1)]),
    );
    const positions = keep(raw.positions, 3);
    return {
      positions,
      ...(colours && { colours: colours.filter((_, i) => finite[Math.floor(i / 3)] === 1) }),
      scalars,
      bounds: boundsOf(positions),
      remarks,
    };
  }
  const positions =
    whole === count ? raw.positions : raw.positions.map((value, i) => (finite[Math.floor(i / 3)] === 1 ? value : 0));
  return {
    positions,
    ...(faces && { faces }),
    ...(colours && { colours }),
    scalars: raw.scalars ?? {},
    bounds: boundsOf(raw.positions),
    remarks,
  };
}

function checkedFaces(faces: ArrayLike<number>, finite: Uint8Array, remarks: string[]): Uint32Array {
  const all = Math.floor(faces.length / 3);
  const kept = new Uint32Array(3 * all);
  let n = 0;
  let astray = 0;
  for (let f = 0; f < all; f += 1) {
    const a = faces[3 * f]!;
    const b = faces[3 * f + 1]!;
    const c = faces[3 * f + 2]!;
    if (!(a >= 0 && b >= 0 && c >= 0 && a < finite.length && b < finite.length && c < finite.length)) {
      astray += 1;
      continue;
    }
    if (finite[a]! + finite[b]! + finite[c]! < 3) continue;
    kept[n] = a;
    kept[n + 1] = b;
    kept[n + 2] = c;
    n += 3;
  }
  if (astray > 0) {
    remarks.push(
      `${plural(astray, "face names", "faces name")} vertices that are not there (of ${plural(finite.length, "vertex", "vertices")}) and ${astray === 1 ? "is" : "are"} left out.`,
    );
  }
  return kept.subarray(0, n);
}

/** Of the finite vertices. */
export function boundsOf(positions: ArrayLike<number>): Bounds {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 2 < positions.length; i += 3) {
    if (!Number.isFinite(positions[i]! + positions[i + 1]! + positions[i + 2]!)) continue;
    for (let k = 0; k < 3; k += 1) {
      const value = positions[i + k]!;
      if (value < min[k]!) min[k] = value;
      if (value > max[k]!) max[k] = value;
    }
  }
  if (!(min[0] <= max[0])) return { min: [0, 0, 0], max: [0, 0, 0], centre: [0, 0, 0], radius: 1 };
  const centre: [number, number, number] = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
  let radius = 0;
  for (let i = 0; i + 2 < positions.length; i += 3) {
    const distance = Math.hypot(
      positions[i]! - centre[0],
      positions[i + 1]! - centre[1],
      positions[i + 2]! - centre[2],
    );
    if (distance > radius && distance < Infinity) radius = distance;
  }
  return { min, max, centre, radius: radius > 0 ? radius : 1 };
}

/** In an order by chance, always the same one: the first n of them are a fair sample of all. Points only. */
export function shuffled(shape: Shape): Shape {
  const count = shape.positions.length / 3;
  const order = new Uint32Array(count).map((_, i) => i);
  let state = 0x9e3779b9;
  for (let i = count - 1; i > 0; i -= 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = Math.floor((state / 4294967296) * (i + 1));
    const held = order[i]!;
    order[i] = order[j]!;
    order[j] = held;
  }
  const pick = <A extends Float32Array | Uint8Array>(values: A, size: number): A => {
    const out = values.slice() as A;
    for (let i = 0; i < count; i += 1)
      for (let k = 0; k < size; k += 1) out[size * i + k] = values[size * order[i]! + k]!;
    return out;
  };
  return {
    ...shape,
    positions: pick(shape.positions, 3),
    ...(shape.colours && { colours: pick(shape.colours, 3) }),
    scalars: Object.fromEntries(Object.entries(shape.scalars).map(([name, values]) => [name, pick(values, 1)])),
  };
}

/** What the vertices can be coloured by: as logged, where they are, or what a file says of them. */
export function colourings(shape: Shape): string[] {
  return [...(shape.colours ? ["logged"] : []), "plain", "x", "y", "z", "distance", ...Object.keys(shape.scalars)];
}

/** A number for each vertex, or nothing when the colouring is none by numbers. */
export function scalarOf(shape: Shape, colouring: string): Float32Array | undefined {
  const axis = ["x", "y", "z"].indexOf(colouring);
  const count = shape.positions.length / 3;
  if (axis >= 0) return new Float32Array(count).map((_, i) => shape.positions[3 * i + axis]!);
  if (colouring === "distance") {
    const [x, y, z] = shape.bounds.centre;
    return new Float32Array(count).map((_, i) =>
      Math.hypot(shape.positions[3 * i]! - x, shape.positions[3 * i + 1]! - y, shape.positions[3 * i + 2]! - z),
    );
  }
  return Object.hasOwn(shape.scalars, colouring) ? shape.scalars[colouring] : undefined;
}

/** Least and largest of the finite ones; nothing when there are none. */
export function rangeOf(values: Float32Array): { readonly low: number; readonly high: number } | undefined {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? { low, high } : undefined;
}

/** Which payload of a part belongs to a step: the last one of that very step. */
export function indexAt(part: PartSteps | undefined, step: number): number | undefined {
  const at = part ? part.steps.lastIndexOf(step) : -1;
  return at < 0 ? undefined : part!.index[at];
}

export function words(shape: Shape): string {
  const points = shape.positions.length / 3;
  return shape.faces
    ? `${plural(points, "vertex", "vertices")} · ${plural(shape.faces.length / 3, "face", "faces")}`
    : plural(points, "point", "points");
}
