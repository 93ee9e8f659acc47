import { expect, test } from "vitest";
import { planeOf } from "./camera";
import { emphasisOf } from "./colours";
import { positionsBetween } from "./motion";
import { toSvg } from "./svg";

const IN_SPRITE = { spriteX: 0, spriteY: 0, spriteWidth: 10, spriteHeight: 8 };
const SIZE = { width: 100, height: 100 };

test("the file has the shown points in view, and labels as text", () => {
  const positions = { x: Float32Array.of(50, 20, 900, NaN), y: Float32Array.of(50, 20, 0, 0), z: null };
  const emphasis = emphasisOf(4, Uint8Array.of(1, 0, 1, 1), []);
  const svg = toSvg({
    pickable: { positions, plane: planeOf({ x: 50, y: 50, z: 0, extent: 100, yaw: 0, pitch: 0 }, SIZE), emphasis },
    styles: {
      palette: { colours: Uint32Array.of(0x1f6cb0), rings: Uint8Array.of(0) },
      styles: new Uint8Array(4),
      radii: new Uint8Array(4).fill(8),
      emphasis,
    },
    radiusFactor: 1,
    shapes: [
      { type: "text", left: 1, middle: 2, text: "<b>", sizePx: 12, isBold: true, colour: "--text" },
      { type: "thumbnail", row: 0, ...IN_SPRITE, left: 40, top: 42.04, width: 20, height: 16, alpha: 0.3 },
      { type: "thumbnail", row: 1, ...IN_SPRITE, left: 0, top: 0, width: 20, height: 16, alpha: 1 },
    ],
    size: SIZE,
    titles: ["PC1", "PC2"],
    images: new Map([[0, "data:image/png;base64,AA=="]]),
    colour: (token) => token,
    fontFamily: '"Noto Sans"',
  });
  expect(svg.match(/<circle/g)).toHaveLength(1);
  expect(svg).toContain('<g fill="#1f6cb0" opacity="0.6"><circle cx="50" cy="50" r="2"/></g>');
  expect(svg).toContain("&lt;b&gt;");
  expect(svg).toContain("PC2");
  // A thumbnail that could not be cut out is left out.
  expect(svg.match(/<image/g)).toHaveLength(1);
  expect(svg).toContain(
    '<image x="40" y="42" width="20" height="16" opacity="0.3" href="data:image/png;base64,AA=="/>',
  );
});

test("points travel between two pictures; new ones are where they will be", () => {
  const from = { x: Float32Array.of(0, NaN), y: Float32Array.of(0, NaN), z: null };
  const to = { x: Float32Array.of(10, 4), y: Float32Array.of(20, 4), z: Float32Array.of(8, 4) };
  const middle = positionsBetween(from, to, 0.5);
  expect([[...middle.x], [...middle.y], [...middle.z!]]).toEqual([[5, 4], [10, 4], [4, 2]]); // prettier-ignore
});
