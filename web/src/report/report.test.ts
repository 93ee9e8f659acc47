import { describe, expect, it } from "vitest";
import { AS_LOGGED } from "../base/smoothing";
import { EMPTY_SET } from "../chart/series";
import { readChart, setOf, smoothed } from "./data";
import { share, shown, sortedRows, spanOf, type TableColumn } from "./table";

/** A block as plugin/columns.py writes it. */
async function packed(header: object, columns: Record<string, Float64Array | Uint32Array>): Promise<string> {
  let offset = 0;
  const entries = Object.entries(columns).map(([name, column]) => {
    const entry = { name, type: column instanceof Float64Array ? "f64" : "u32", offset, count: column.length };
    offset += Math.ceil(column.byteLength / 8) * 8;
    return entry;
  });
  const text = new TextEncoder().encode(JSON.stringify({ ...header, columns: entries }));
  const headerBytes = Math.ceil(text.length / 8) * 8;
  const block = new Uint8Array(16 + headerBytes + offset).fill(32, 16, 16 + headerBytes);
  block.set(new TextEncoder().encode("SEAMARK1"));
  new DataView(block.buffer).setUint32(8, headerBytes, true);
  block.set(text, 16);
  Object.values(columns).forEach((column, index) =>
    block.set(
      new Uint8Array(column.buffer, column.byteOffset, column.byteLength),
      16 + headerBytes + entries[index]!.offset,
    ),
  );
  const stream = new Blob([block]).stream().pipeThrough(new CompressionStream("deflate"));
  return btoa(String.fromCharCode(...new Uint8Array(await new Response(stream).arrayBuffer())));
}

const CHART = await packed(
  { tag: "loss", runs: ["a", "b"] },
  {
    offsets: Uint32Array.of(0, 2, 3),
    began: Float64Array.of(1000, 5000),
    relative: Float64Array.of(0, 10, 0),
    step_last: Float64Array.of(0, 1, 0),
    mean: Float64Array.of(3, NaN, 7),
    count: Uint32Array.of(1, 1, 1),
    nan: Uint32Array.of(0, 1, 0),
  },
);

describe("a chart in the file", () => {
  it("comes back with its wall times", () => {
    const block = readChart(CHART);
    expect(block.runs).toEqual(["a", "b"]);
    expect([...block.columns.wall_last!]).toEqual([1000, 1010, 5000]);
  });

  it("becomes series on any axis", () => {
    const block = readChart(CHART);
    expect([...setOf(block, "step", AS_LOGGED).x]).toEqual([0, 1, 0]);
    expect([...setOf(block, "relative", AS_LOGGED).x]).toEqual([0, 10, 0]);
    expect([...setOf(block, "wall", AS_LOGGED).x]).toEqual([1000, 1010, 5000]);
    expect([...setOf(block, "step", AS_LOGGED).marks]).toEqual([1]);
  });
});

describe("smoothing", () => {
  const setWith = (raw: Float64Array, ...ends: number[]) => ({
    ...EMPTY_SET,
    raw,
    x: Float64Array.from(raw, (_, row) => row),
    offsets: Uint32Array.of(0, ...ends),
  });
  const zeros = Array.from({ length: 16 }, () => 0);

  it("is debiased, skips what is not finite and begins anew with each series", () => {
    const raw = Float64Array.of(1, NaN, 3, 5, ...zeros, 8, 6, ...zeros, 0, 0);
    const curve = smoothed(setWith(raw, 20, 40), () => 0.5);
    expect(curve[0]).toBe(1);
    expect(curve[1]).toBeNaN();
    expect(curve[2]).toBeCloseTo((0.25 * 1 + 0.5 * 3) / 0.75);
    expect(curve[20]).toBe(8);
  });

  it("leaves a short series alone, as the server does", () => {
    const raw = Float64Array.of(1, 2, 3, ...zeros);
    expect([...smoothed(setWith(raw, 19), () => 0.9)]).toEqual([...raw]);
  });

  it("by a half-life of the visible range knows the distance of the points of each series", () => {
    const spacings: number[] = [];
    const raw = Float64Array.from({ length: 50 }, (_, row) => row % 3);
    const set = { ...setWith(raw, 20, 50), x: Float64Array.from(raw, (_, row) => (row < 20 ? row : 5 * row)) };
    smoothed(set, (spacing) => {
      spacings.push(spacing);
      return 0;
    });
    expect(spacings).toEqual([1, 5]);
  });

  it("leaves a constant series alone", () => {
    const raw = new Float64Array(30).fill(0.1);
    expect([...smoothed(setWith(raw, 30), () => 0.9)]).toEqual([...raw]);
  });
});

describe("the table", () => {
  const lr: TableColumn = { id: "param:lr", name: "lr", type: "number", values: [0.1, null, "NaN", 3e-4, "Infinity"] };

  it("sorts both ways with blanks last", () => {
    expect(sortedRows([lr], 5, [{ id: "param:lr", descending: false }])).toEqual([3, 0, 4, 1, 2]);
    expect(sortedRows([lr], 5, [{ id: "param:lr", descending: true }])).toEqual([4, 0, 3, 1, 2]);
    expect(sortedRows([lr], 5, [])).toEqual([0, 1, 2, 3, 4]);
  });

  it("puts numbers before text in a column that holds both", () => {
    const mixed: TableColumn = { id: "m", name: "m", type: "text", values: ["run10", 5, "run9", null] };
    expect(sortedRows([mixed], 4, [{ id: "m", descending: false }])).toEqual([1, 2, 0, 3]);
  });

  it("shows cells as people read them", () => {
    expect(shown(3e-4, "number")).toBe("0.0003");
    expect(shown(0.1 * 3, "number")).toBe("0.3");
    expect(shown(0.96875, "number")).toBe("0.9688");
    expect(shown(-5e-9, "number")).toBe("−5e−9");
    expect(shown("-Infinity", "number")).toBe("−∞");
    expect(shown(12000, "number")).toBe("12,000");
    expect(shown(3700, "duration")).toBe("1 h 01 m");
    expect(shown(["a", "b"], "list")).toBe("a, b");
    expect(shown(true, "bool")).toBe("true");
    expect(shown(null, "number")).toBe("");
    expect(shown("<b>", "text")).toBe("<b>");
  });

  it("has bars between its lowest and its highest finite value", () => {
    const metric = { ...lr, id: "metric:val/loss:min" };
    const span = spanOf(metric)!;
    expect(span).toEqual({ low: 3e-4, high: 0.1 });
    expect(share(0.1, span)).toBe(100);
    expect(share("Infinity", span)).toBe(0);
    expect(spanOf({ ...metric, values: [1, 1] })).toBeNull();
    expect(spanOf(lr)).toBeNull();
  });
});
