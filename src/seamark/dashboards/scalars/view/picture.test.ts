import { expect, test } from "vitest";
import { frameOf } from "$public";
import { svgOf } from "./picture";
import { setOf } from "./testing";

const LINEAR = { kind: "linear" as const, constant: 1 };
const look = { text: "#666", strong: "#111", grid: "#eee", baseline: "#ccc", surface: "#fff", font: 'Arial, "Noto Sans"', rawAlpha: 0.2, fillAlpha: 0.2 };

test("a picture holds every line, and names stay text", () => {
  const set = setOf({ "<script>alert(1)</script>": [[0, 1], [5, NaN], [10, 0]], b: [[0, 0.5], [10, 0.5]] });
  const frame = frameOf({ width: 400, height: 200, unit: "step", x: { from: 0, to: 10 }, y: { from: 0, to: 1 }, xScale: LINEAR, yScale: LINEAR, labelWidth: 0 });
  const { text, height } = svgOf({
    title: 'a & "b"', subtitle: "2 runs", set, shown: [0, 1], frame, look, colourOf: () => "#123456", isDashed: (series) => series === 1,
    labelOf: (series) => set.series[series]!.name,
  });
  expect(text).not.toContain("<script");
  expect(text).toContain("&#60;script&#62;");
  expect(text.match(/stroke-width="1.4"/g)).toHaveLength(2);
  expect(text.match(/M[\d.]+ [\d.]+M/)).not.toBeNull();
  expect(text).toContain("stroke-dasharray");
  expect(height).toBeGreaterThan(200);
});
