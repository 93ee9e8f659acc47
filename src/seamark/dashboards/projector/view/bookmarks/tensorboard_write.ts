/** Bookmarks to TensorBoard's file, with what this page needs to read them back exactly. */

import { maskOf } from "../model";
import { cameraOf } from "../scatter/camera";
import type { Method, Projection } from "../wire";
import type { Bookmark } from "./bookmark";
import { defaultCamera, toTensorBoard } from "./tensorboard_camera";
import { NO_COLOUR, type Shape } from "./tensorboard_read";

/** TensorBoard loads no more rows of an embedding. */
const TENSORBOARD_ROWS = 100_000;
/** A larger picture is written as a random sample of so many points. */
export const MAX_POSITIONS = 20_000;
const SEED = 42;

export interface Picture {
  readonly shape: Shape;
  readonly method: Method;
  readonly projection: Pick<Projection, "x" | "y" | "z" | "epoch">;
  /** The columns by which points are coloured and labelled; "" is none. */
  readonly colour: string;
  readonly label: string;
}

/** One state, to be put into a list. */
export function tensorBoardState(bookmark: Bookmark, picture: Picture): Record<string, unknown> {
  const { shape, method } = picture;
  const points = pointsOf(bookmark, picture);
  const isAll = points.length === Math.min(shape.rows, TENSORBOARD_ROWS);
  const camera = cameraOf(bookmark.params.camera);
  const indices = new Map([...points].map((row, index) => [row, index]));
  return {
    label: bookmark.label,
    isSelected: false,
    dataSetDimensions: [Math.min(shape.rows, TENSORBOARD_ROWS), shape.dimensions],
    ...parametersOf(method, picture.projection.epoch),
    projections: positionsOf(points, picture),
    ...(isAll ? {} : { filteredPoints: [...points] }),
    selectedPoints: bookmark.selected.map((row) => indices.get(row)).filter((index) => index !== undefined),
    cameraDef: {
      orthographic: method.dims === 2,
      ...(camera ? toTensorBoard(camera, picture.projection, method.dims) : defaultCamera(method.dims)),
    },
    selectedColorOptionName: picture.colour || NO_COLOUR,
    forceCategoricalColoring: false,
    selectedLabelOption: picture.label,
    seamark: { label: bookmark.label, params: bookmark.params, selected: bookmark.selected, filters: bookmark.filters },
  };
}

/** Placed rows that the filters show, in ascending order. */
function pointsOf(bookmark: Bookmark, { shape, projection: { x } }: Picture): Uint32Array {
  const masks = bookmark.filters.map(({ type, rows }) => ({ type, mask: maskOf(rows, shape.rows) }));
  const isShown = (row: number): boolean => masks.every(({ type, mask }) => (mask[row] === 1) === (type === "isolate"));
  const rows = Array.from({ length: Math.min(shape.rows, TENSORBOARD_ROWS) }, (_, row) => row);
  return sample(rows.filter((row) => !Number.isNaN(x[row]!) && isShown(row)));
}

function sample(rows: number[]): Uint32Array {
  if (rows.length <= MAX_POSITIONS) return Uint32Array.from(rows);
  const random = randomNumbers(SEED);
  for (let at = 0; at < MAX_POSITIONS; at += 1) {
    const other = at + Math.floor(random() * (rows.length - at));
    [rows[at], rows[other]] = [rows[other]!, rows[at]!];
  }
  return Uint32Array.from(rows.slice(0, MAX_POSITIONS)).sort();
}

/** A linear congruential generator: the same file for the same picture. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

function positionsOf(points: Uint32Array, { method, projection: { x, y, z } }: Picture): Record<string, number>[] {
  const keys = positionKeys(method);
  return Array.from(points, (row) => {
    const at = [x[row]!, y[row]!, ...(z && keys.length === 3 ? [z[row]!] : [])];
    return Object.fromEntries(at.map((value, axis) => [keys[axis]!, value]));
  });
}

/** The names of TensorBoard's axes. A custom projection has two. */
function positionKeys(method: Method): readonly string[] {
  switch (method.method) {
    case "pca":
      return componentsOf(method).map((component) => `pca-${component}`);
    case "tsne":
    case "umap":
      return [0, 1, 2].slice(0, method.dims).map((axis) => `${method.method}-${axis}`);
    default:
      return ["linear-x", "linear-y"];
  }
}

const componentsOf = ({ components, dims }: Method): readonly number[] =>
  components.length >= dims ? components.slice(0, dims) : [0, 1, 2].slice(0, dims);

/** TensorBoard's default, for what a method of ours chooses itself. */
const LEARNING_RATE = 10;

function parametersOf(method: Method, epoch: number): Record<string, unknown> {
  const is = (name: Method["method"]): boolean => method.method === name;
  const [across, upwards] = method.axes;
  const is3d = method.dims === 3;
  return {
    // Raw dimensions and random projections are linear as well.
    selectedProjection: is("pca") || is("tsne") || is("umap") ? method.method : "custom",
    pcaComponentDimensions: is("pca") ? [...componentsOf(method)] : [0, 1, 2].slice(0, method.dims),
    tSNEIteration: is("tsne") ? epoch : 0,
    tSNEPerplexity: method.perplexity,
    tSNELearningRate: method.learning_rate || LEARNING_RATE,
    tSNEis3d: is3d,
    umapIs3d: is3d,
    umapNeighbors: method.neighbours,
    umapMinDist: method.min_distance,
    customSelectedSearchByMetadataOption: across?.start.column ?? "",
    customXLeftText: across?.start.text ?? "",
    customXLeftRegex: across?.start.is_regex ?? false,
    customXRightText: across?.end.text ?? "",
    customXRightRegex: across?.end.is_regex ?? false,
    customYUpText: upwards?.end.text ?? "",
    customYUpRegex: upwards?.end.is_regex ?? false,
    customYDownText: upwards?.start.text ?? "",
    customYDownRegex: upwards?.start.is_regex ?? false,
  };
}
