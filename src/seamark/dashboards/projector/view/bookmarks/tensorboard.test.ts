import { describe, expect, it } from "vitest";
import { methodOf } from "../model";
import type { Bookmark } from "./bookmark";
import { readTensorBoard } from "./tensorboard_read";
import { MAX_POSITIONS, tensorBoardState, type Picture } from "./tensorboard_write";

const SHAPE = { rows: 6, dimensions: 4 };

/** As TensorBoard's projector saves its states. */
const FILE = [
  {
    label: "Sea animals",
    isSelected: true,
    tSNEIteration: 310,
    tSNEPerplexity: 12,
    tSNELearningRate: 10,
    tSNEis3d: false,
    umapIs3d: true,
    umapNeighbors: 15,
    pcaComponentDimensions: [0, 1, 2],
    projections: [
      { "tsne-0": 1, "tsne-1": 2 },
      { "tsne-0": 3, "tsne-1": 4 },
      { "tsne-0": 5, "tsne-1": 6 },
    ],
    filteredPoints: [1, 3, 5],
    selectedPoints: [2, 0],
    selectedProjection: "tsne",
    dataSetDimensions: [3, 4],
    cameraDef: { orthographic: true, position: [0.1, 0.2, 1], target: [0.1, 0.2, 0], zoom: 2.5 },
    selectedColorOptionName: "class",
    forceCategoricalColoring: false,
    selectedLabelOption: "name",
  },
  {
    label: "",
    tSNEIteration: 0,
    tSNEPerplexity: 0,
    pcaComponentDimensions: [0, 4],
    projections: [],
    selectedPoints: [],
    selectedProjection: "pca",
    dataSetDimensions: [6, 4],
    selectedColorOptionName: "No color map",
    selectedLabelOption: "name",
  },
  {
    label: "Gender",
    selectedProjection: "custom",
    customSelectedSearchByMetadataOption: "word",
    customXLeftText: "he",
    customXLeftRegex: false,
    customXRightText: "^she$",
    customXRightRegex: true,
    customYUpText: "up",
    customYUpRegex: false,
    customYDownText: "down",
    customYDownRegex: false,
    projections: [],
    selectedPoints: [4],
    dataSetDimensions: [6, 4],
  },
];

describe("a file by TensorBoard", () => {
  const [sea, pca, gender] = readTensorBoard(FILE, SHAPE);

  it("gives method, colour, label, filter, selection and camera", () => {
    expect(sea).toEqual({
      label: "Sea animals",
      params: { method: '{"method":"tsne","perplexity":12}', colour: "class", label: "name" },
      selected: [5, 1],
      filters: [{ type: "isolate", rows: [1, 3, 5] }],
      camera: { position: [0.1, 0.2, 1], target: [0.1, 0.2, 0], zoom: 2.5 },
    });
  });

  it("gives the components of PCA, and a name to a state without one", () => {
    expect(pca!.label).toBe("State 1");
    expect(pca!.params).toEqual({ method: '{"components":[0,4]}', colour: "", label: "name" });
  });

  it("gives custom axes", () => {
    expect(JSON.parse(gender!.params.method!)).toEqual({
      method: "axes",
      axes: [
        {
          start: { text: "he", column: "word", is_regex: false },
          end: { text: "^she$", column: "word", is_regex: true },
        },
        {
          start: { text: "down", column: "word", is_regex: false },
          end: { text: "up", column: "word", is_regex: false },
        },
      ],
    });
    expect(gender!.selected).toEqual([4]);
  });

  it("of another embedding, or of something else, is rejected with a sentence", () => {
    expect(() => readTensorBoard(FILE, { rows: 6, dimensions: 8 })).toThrow("3 × 4; this one has 6 × 8");
    expect(() => readTensorBoard({ a: 1 }, SHAPE)).toThrow("holds no list of bookmarks");
  });
});

describe("a file for TensorBoard", () => {
  const bookmark: Bookmark = {
    label: "Two groups",
    params: { run: "a/b", name: "pool", method: '{"method":"umap","dims":3}', colour: "class" },
    selected: [0, 4],
    filters: [{ type: "hide", rows: [1] }],
  };
  const picture: Picture = {
    shape: SHAPE,
    method: methodOf({ method: "umap", dims: 3, neighbours: 30, min_distance: 0.25 }),
    projection: {
      x: Float32Array.of(0, 1, 2, NaN, 4, 5),
      y: Float32Array.of(0, 10, 20, NaN, 40, 50),
      z: Float32Array.of(0, 100, 200, NaN, 400, 500),
      epoch: 200,
    },
    colour: "class",
    label: "name",
  };

  it("has what TensorBoard needs to load it", () => {
    expect(tensorBoardState(bookmark, picture)).toMatchObject({
      label: "Two groups",
      selectedProjection: "umap",
      dataSetDimensions: [6, 4],
      umapIs3d: true,
      umapNeighbors: 30,
      umapMinDist: 0.25,
      filteredPoints: [0, 2, 4, 5],
      selectedPoints: [0, 2],
      projections: [
        { "umap-0": 0, "umap-1": 0, "umap-2": 0 },
        { "umap-0": 2, "umap-1": 20, "umap-2": 200 },
        { "umap-0": 4, "umap-1": 40, "umap-2": 400 },
        { "umap-0": 5, "umap-1": 50, "umap-2": 500 },
      ],
      selectedColorOptionName: "class",
      selectedLabelOption: "name",
    });
  });

  it("is read back exactly", () => {
    const text = JSON.stringify([tensorBoardState(bookmark, picture)]);
    expect(readTensorBoard(JSON.parse(text), SHAPE)).toEqual([bookmark]);
  });

  it("means the same to a reader that knows only TensorBoard's fields", () => {
    const { seamark: _, ...state } = tensorBoardState(bookmark, picture);
    const [read] = readTensorBoard([state], SHAPE);
    expect(read).toMatchObject({ selected: [0, 4], filters: [{ type: "isolate", rows: [0, 2, 4, 5] }] });
    expect(JSON.parse(read!.params.method!)).toEqual({ method: "umap", dims: 3, neighbours: 30, min_distance: 0.25 });
  });

  it("has all rows without a filter, and no list of filtered points then", () => {
    const x = Float32Array.of(0, 1, 2, 3, 4, 5);
    const state = tensorBoardState(
      { ...bookmark, filters: [] },
      { ...picture, method: methodOf({ components: [2, 0] }), projection: { x, y: x, z: null, epoch: 0 } },
    );
    expect(state).not.toHaveProperty("filteredPoints");
    expect((state.projections as unknown[])[3]).toEqual({ "pca-2": 3, "pca-0": 3 });
    expect(state.pcaComponentDimensions).toEqual([2, 0]);
  });

  it("has a random sample of a large embedding, the same each time, of rows that TensorBoard loads", () => {
    const rows = 150_000;
    const x = Float32Array.from({ length: rows }, (_, row) => row);
    const write = (): Record<string, unknown> =>
      tensorBoardState(
        { ...bookmark, filters: [] },
        { ...picture, shape: { rows, dimensions: 4 }, projection: { x, y: x, z: x, epoch: 0 } },
      );
    const filtered = write().filteredPoints as number[];
    expect(filtered).toHaveLength(MAX_POSITIONS);
    expect(filtered).toEqual(write().filteredPoints);
    expect(filtered.at(-1)).toBeLessThan(100_000);
    expect(filtered.at(-1)).toBeGreaterThan(90_000);
    expect(filtered.toSorted((a, b) => a - b)).toEqual(filtered);
  });
});
