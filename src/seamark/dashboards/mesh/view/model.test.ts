import { expect, test } from "vitest";
import { NOTHING, parseConfig } from "./config";
import { boundsOf, cardsOf, checked, colourings, indexAt, rangeOf, scalarOf, shuffled, tagsOf, words } from "./model";
import { fitted, fromPose, START, toPose } from "./pose";

const SQUARE = new Float32Array([0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0]);

test("faces that name vertices there are not are left out, and it is said", () => {
  const shape = checked({ positions: SQUARE, faces: [0, 1, 2, 0, 2, 9, 0, -1, 2] });
  expect([...shape.faces!]).toEqual([0, 1, 2]);
  expect(shape.remarks).toEqual(["2 faces name vertices that are not there (of 4 vertices) and are left out."]);
  expect(words(shape)).toBe("4 vertices · 1 face");
});

test("points that are no numbers are dropped with their colours", () => {
  const positions = new Float32Array([0, 0, 0, NaN, 0, 0, 1, 1, 1]);
  const shape = checked({
    positions,
    colours: new Uint8Array([1, 1, 1, 2, 2, 2, 3, 3, 3]),
    scalars: { heat: new Float32Array([5, 6, 7]) },
  });
  expect([...shape.positions]).toEqual([0, 0, 0, 1, 1, 1]);
  expect([...shape.colours!]).toEqual([1, 1, 1, 3, 3, 3]);
  expect([...shape.scalars["heat"]!]).toEqual([5, 7]);
  expect(shape.remarks).toEqual(["1 vertex is not finite and left out."]);
});

test("in a mesh a vertex that is no number takes its faces with it and shifts no other", () => {
  const shape = checked({
    positions: new Float32Array([0, 0, 0, Infinity, 0, 0, 2, 2, 0, 0, 2, 0]),
    faces: [0, 1, 2, 0, 2, 3],
  });
  expect([...shape.faces!]).toEqual([0, 2, 3]);
  expect(shape.bounds.max).toEqual([2, 2, 0]);
  expect([...shape.positions].every(Number.isFinite)).toBe(true);
});

test("colours that do not fit are left away", () => {
  const shape = checked({ positions: SQUARE, colours: new Uint8Array(6) });
  expect(shape.colours).toBeUndefined();
  expect(shape.remarks[0]).toContain("got 2, want 4");
  expect(colourings(shape)).toEqual(["plain", "x", "y", "z", "distance"]);
});

test("one point and no point have bounds that a camera can look at", () => {
  expect(boundsOf([5, 5, 5])).toEqual({ min: [5, 5, 5], max: [5, 5, 5], centre: [5, 5, 5], radius: 1 });
  expect(boundsOf([]).radius).toBe(1);
  expect(checked({ positions: new Float32Array(0) }).remarks).toEqual([]);
});

test("shuffling keeps every point with its colour", () => {
  const count = 1000;
  const positions = new Float32Array(3 * count).map((_, i) => Math.floor(i / 3));
  const colours = new Uint8Array(3 * count).map((_, i) => Math.floor(i / 3) % 256);
  const mixed = shuffled(checked({ positions, colours }));
  const found = Array.from({ length: count }, (_, i) => mixed.positions[3 * i]!);
  expect(found).not.toEqual([...found].sort((a, b) => a - b));
  expect(new Set(found).size).toBe(count);
  expect(found.every((value, i) => mixed.colours![3 * i] === value % 256)).toBe(true);
});

test("a colouring by numbers has a range", () => {
  const shape = checked({ positions: SQUARE });
  expect([...scalarOf(shape, "x")!]).toEqual([0, 2, 2, 0]);
  expect(scalarOf(shape, "distance")![0]).toBeCloseTo(Math.SQRT2, 5);
  expect(scalarOf(shape, "plain")).toBeUndefined();
  expect(scalarOf(shape, "constructor")).toBeUndefined();
  expect(rangeOf(new Float32Array([3, NaN, -1]))).toEqual({ low: -1, high: 3 });
  expect(rangeOf(new Float32Array([NaN]))).toBeUndefined();
});

test("of a restarted run the last payload of a step is the one", () => {
  const part = { tag: "a", index: [0, 1, 2, 3], steps: [0, 10, 10, 20], walls: [0, 0, 0, 0] };
  expect(indexAt(part, 10)).toBe(2);
  expect(indexAt(part, 15)).toBeUndefined();
  expect(indexAt(undefined, 10)).toBeUndefined();
});

test("a configuration takes what it knows and names what it does not", () => {
  expect(parseConfig("")).toEqual(NOTHING);
  expect(parseConfig("{").remark).toContain("not JSON");
  const config = parseConfig(
    JSON.stringify({
      camera: { cls: "PerspectiveCamera", fov: 75, position: [0, 1, 2] },
      lights: [{ cls: "AmbientLight", color: "#ff0000", intensity: 0.5 }, { cls: "Laser" }],
      material: {
        cls: "MeshPhongMaterial",
        shininess: 30,
        map: "http://elsewhere/x.png",
        onBeforeCompile: "alert(1)",
        color: 255,
      },
    }),
  );
  expect(config.fov).toBe(75);
  expect(config.position).toEqual([0, 1, 2]);
  expect(config.lights).toEqual([{ cls: "AmbientLight", color: "#ff0000", intensity: 0.5 }]);
  expect(config.material).toEqual({ cls: "MeshPhongMaterial", settings: { shininess: 30, color: 255 } });
  expect(config.remark).toContain("Laser");
});

test("a pose comes back from another mesh's size as it went", () => {
  const { eye, target } = fromPose(START, [10, 0, 0], 5);
  expect(toPose(eye, target, [10, 0, 0], 5).eye[1]).toBeCloseTo(START.eye[1], 6);
  expect(Math.hypot(...fitted(START, 60, 1).eye)).toBeCloseTo(1.02 / Math.sin(Math.PI / 6), 6);
  expect(Math.hypot(...fitted(START, 60, 0.5).eye)).toBeGreaterThan(Math.hypot(...fitted(START, 60, 1).eye));
});

test("a tag has a card for each mesh and file of the shown runs, in the order of the runs table", () => {
  const logged = { name: "cloud", description: "", samples: 1, config: "", parts: {} };
  const meshes = [
    { ...logged, run: "a" },
    { ...logged, run: "b" },
  ];
  const [cloud, file] = tagsOf(meshes, [{ run: "b", path: "out/x.ply", bytes: 1 }]);
  expect([cloud!.tag, cloud!.runs, file!.tag]).toEqual(["cloud", ["a", "b"], "out/x.ply"]);
  expect(cardsOf(cloud!, ["b", "c", "a"]).map(({ run }) => run)).toEqual(["b", "a"]);
  expect(cardsOf(file!, ["a"])).toEqual([]);
});
