/** Bookmarks from TensorBoard's file: a JSON list of states of its projector. */

import { methodOf, methodText } from "../model";
import type { CustomAxis, Method } from "../wire";
import { bookmarkOf, isRecord, rowsOf, type Bookmark, type TensorBoardCamera } from "./bookmark";

export interface Shape {
  readonly rows: number;
  readonly dimensions: number;
}

/** What TensorBoard calls the choice of no colour. */
export const NO_COLOUR = "No color map";
/** The range that the server accepts. */
const PERPLEXITY = { low: 2, high: 500 };
const NEIGHBOURS = { low: 2, high: 200 };
const MIN_DISTANCE = { low: 0, high: 1 };

type State = Readonly<Record<string, unknown>>;

/** Throws an error with a sentence if the file is of something else, or of an embedding of another shape. */
export function readTensorBoard(value: unknown, shape: Shape): readonly Bookmark[] {
  if (!Array.isArray(value) || !value.every(isRecord)) throw new Error("This file holds no list of bookmarks.");
  return value.map((state, index) => {
    checkShape(state.dataSetDimensions, shape);
    const label = typeof state.label === "string" && state.label !== "" ? state.label : `State ${index}`;
    const own = bookmarkOf(state.seamark);
    return own ? { ...own, label } : bookmarkOfState(state, label);
  });
}

/** A state that was saved with a filter has the number of filtered rows: fewer rows are fine. */
function checkShape(value: unknown, { rows, dimensions }: Shape): void {
  if (!Array.isArray(value) || value.length !== 2) return;
  const [ofRows, ofDimensions] = value as number[];
  if (ofRows! > rows || ofDimensions !== dimensions)
    throw new Error(`These bookmarks are of an embedding with ${ofRows} × ${ofDimensions}; this one has ${rows} × ${dimensions}.`); // prettier-ignore
}

function bookmarkOfState(state: State, label: string): Bookmark {
  const filtered = Array.isArray(state.filteredPoints) ? rowsOf(state.filteredPoints) : null;
  // The selected points are counted among the filtered ones.
  const selected = rowsOf(state.selectedPoints).map((index) => (filtered ? filtered[index] : index));
  const params = {
    method: methodText(methodOfState(state)),
    colour: state.selectedColorOptionName === NO_COLOUR ? "" : text(state.selectedColorOptionName),
    label: text(state.selectedLabelOption),
  };
  const camera = cameraOf(state.cameraDef);
  return {
    label,
    params: Object.fromEntries(Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined)), // prettier-ignore
    selected: selected.filter((row) => row !== undefined),
    filters: filtered ? [{ type: "isolate", rows: filtered }] : [],
    ...(camera && { camera }),
  };
}

function methodOfState(state: State): Method {
  const dims = (is3d: unknown): 2 | 3 => (is3d === true ? 3 : 2);
  switch (state.selectedProjection) {
    case "tsne": {
      // Its learning rate is for another optimizer, so ours stays automatic.
      const perplexity = clamp(state.tSNEPerplexity, PERPLEXITY);
      return methodOf({ method: "tsne", dims: dims(state.tSNEis3d), perplexity });
    }
    case "umap": {
      const neighbours = clamp(state.umapNeighbors, NEIGHBOURS);
      const min_distance = clamp(state.umapMinDist, MIN_DISTANCE);
      return methodOf({ method: "umap", dims: dims(state.umapIs3d ?? state.UMAPis3d), neighbours, min_distance });
    }
    case "custom":
      return methodOf({ method: "axes", axes: axesOf(state) });
    default: {
      const components = rowsOf(state.pcaComponentDimensions ?? state.componentDimensions);
      const areFirst = components.every((component, index) => component === index);
      return methodOf({ method: "pca", dims: dims(components.length === 3), components: areFirst ? [] : components });
    }
  }
}

function axesOf(state: State): readonly CustomAxis[] {
  const column = text(state.customSelectedSearchByMetadataOption) ?? "";
  const end = (name: string): CustomAxis["start"] => ({
    text: text(state[`custom${name}Text`]) ?? "",
    column,
    is_regex: state[`custom${name}Regex`] === true,
  });
  return [
    { start: end("XLeft"), end: end("XRight") },
    { start: end("YDown"), end: end("YUp") },
  ];
}

function cameraOf(value: unknown): TensorBoardCamera | null {
  if (!isRecord(value)) return null;
  const { position, target, zoom } = value;
  const isPoint = (point: unknown): point is number[] =>
    Array.isArray(point) && point.length === 3 && point.every((part) => Number.isFinite(part));
  if (!isPoint(position) || !isPoint(target)) return null;
  return { position, target, zoom: typeof zoom === "number" && zoom > 0 ? zoom : 1 };
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const clamp = (value: unknown, { low, high }: { low: number; high: number }): number | undefined =>
  typeof value === "number" && value > 0 ? Math.min(high, Math.max(low, value)) : undefined;
