import { expect, test } from "vitest";
import { planeOf } from "./camera";
import { emphasisOf } from "./colours";
import { positionsBetween } from "./motion";
import { legendOf, legendShapes } from "./overlay/legend";
import { toSvg } from "./svg";

const IN_SPRITE = { spriteX: 0, spriteY: 0, spriteWidth: 10, spriteHeight: 8 };
const SIZE = { width: 100, height: 100 };

const PALETTE = { colours: new Uint32Array(256).fill(0x1f6cb0), rings: new Uint8Array(256) };
const COLUMN = { type: "category", values: new Int32Array(4), names: ["<cat>", "dog"], styles: [1, 0] } as const;

test("the file has the shown points in view, and labels as text", () => {
  const positions = { x: Float32Array.of(50, 20, 900, NaN), y: Float32Array.of(50, 20, 0, 0), z: null };
  const emphasis = emphasisOf(4, Uint8Array.of(1, 0, 1, 1), []);
  const svg = toSvg({
    pickable: { positions, plane: planeOf({ x: 50, y: 50, z: 0, extent: 100, yaw: 0, pitch: 0 }, SIZE), emphasis },
    styles: { palette: PALETTE, styles: new Uint8Array(4), radii: new Uint8Array(4).fill(8), emphasis },
    radiusFactor: 1,
    depthReach: 0,
    legend: legendShapes(legendOf(COLUMN, "class")!, {
      left: 100,
      palette: PALETTE,
      measure: (text) => 6 * text.length,
    }),
    shapes: [
      { type: "text", left: 1, middle: 2, text: "<b>", sizePx: 12, isBold: true, colour: "--text" },
      {
        type: "thumbnail",
        row: 0,
        ...IN_SPRITE,
        left: 40,
        top: 42.04,
        width: 20,
        height: 16,
        alpha: 0.3,
        tint: "#ff0000",
      },
      { type: "thumbnail", row: 1, ...IN_SPRITE, left: 0, top: 0, width: 20, height: 16, alpha: 1, tint: null },
    ],
    size: SIZE,
    titles: ["PC1", "PC2"],
    images: new Map([[0, "data:image/png;base64,AA=="]]),
    colour: (token) => token,
    fontFamily: '"Noto Sans"',
  });
  // One point, and two marks of the legend, in the order of the colours.
  expect(svg.match(/<circle/g)).toHaveLength(3);
  expect(svg).toMatch(/>class<[^]*>dog<[^]*>&lt;cat&gt;</);
  const [, width] = /^<svg [^>]*width="(\d+)"/.exec(svg)!;
  expect(Number(width)).toBeGreaterThan(140);
  expect(svg).toContain('<g fill="#1f6cb0" opacity="0.6"><circle cx="50" cy="50" r="2"/></g>');
  expect(svg).toContain("&lt;b&gt;");
  expect(svg).toContain("PC2");
  // A thumbnail that could not be cut out is left out.
  expect(svg.match(/<image/g)).toHaveLength(1);
  expect(svg).toContain(
    '<image x="40" y="42" width="20" height="16" opacity="0.3" href="data:image/png;base64,AA=="/><rect x="40" y="42" width="20" height="16" opacity="0.3" fill="#ff0000"',
  );
});

test("the scale of a number is beside the picture", () => {
  const numbers = { type: "number", values: Float32Array.of(1, NaN, 4), names: [] } as const;
  const { shapes, widthPx } = legendShapes(legendOf(numbers, "loss")!, {
    left: 100,
    palette: PALETTE,
    measure: () => 40,
  });
  expect(shapes.map(({ type }) => type)).toEqual(["ramp", "text", "text", "text"]);
  expect(shapes.flatMap((shape) => (shape.type === "text" ? [shape.text] : []))).toEqual([
    "loss",
    "",
    "1.0000 to 4.0000",
  ]);
  expect(widthPx).toBeGreaterThan(120);
  expect(legendOf(null, "")).toBeNull();
});

test("in three dimensions near points are larger and come last", () => {
  const positions = { x: Float32Array.of(40, 60), y: Float32Array.of(50, 50), z: Float32Array.of(40, -40) };
  const svg = toSvg({
    pickable: { positions, plane: planeOf({ x: 50, y: 50, z: 0, extent: 100, yaw: 0, pitch: 0 }, SIZE), emphasis: Uint8Array.of(2, 2) }, // prettier-ignore
    styles: { palette: PALETTE, styles: new Uint8Array(2), radii: new Uint8Array(2).fill(40), emphasis: Uint8Array.of(2, 2) }, // prettier-ignore
    ...{ radiusFactor: 1, depthReach: 50, legend: null, shapes: [], size: SIZE, titles: [], images: new Map() },
    colour: (token) => token,
    fontFamily: "x",
  });
  const radii = [...svg.matchAll(/cx="(\d+)"[^>]* r="([\d.]+)"/g)].map(([, x, radius]) => [x, Number(radius)] as const);
  expect(radii.map(([x]) => x)).toEqual(["60", "40"]);
  expect(radii[1]![1]).toBeGreaterThan(1.5 * radii[0]![1]);
});

test("points travel between two pictures; new ones are where they will be", () => {
  const from = { x: Float32Array.of(0, NaN), y: Float32Array.of(0, NaN), z: null };
  const to = { x: Float32Array.of(10, 4), y: Float32Array.of(20, 4), z: Float32Array.of(8, 4) };
  const middle = positionsBetween(from, to, 0.5);
  expect([[...middle.x], [...middle.y], [...middle.z!]]).toEqual([[5, 4], [10, 4], [4, 2]]); // prettier-ignore
});
