import { expect, test } from "vitest";
import { decodeBatch, decodeColumns, rowColumn } from "./columns";

function block(header: object, body: ArrayBuffer): ArrayBuffer {
  const text = JSON.stringify(header);
  const padded = new TextEncoder().encode(text.padEnd(Math.ceil(text.length / 8) * 8));
  const out = new Uint8Array(16 + padded.length + body.byteLength);
  out.set(new TextEncoder().encode("SEAMARK1"));
  new DataView(out.buffer).setUint32(8, padded.length, true);
  out.set(padded, 16);
  out.set(new Uint8Array(body), 16 + padded.length);
  return out.buffer;
}

test("columns of every type come out as numbers", () => {
  const body = new ArrayBuffer(40);
  new BigInt64Array(body, 0, 2).set([-5n, 2n ** 40n + 7n]);
  new Float64Array(body, 16, 2).set([0.5, NaN]);
  new Uint32Array(body, 32, 2).set([1, 2 ** 32 - 1]);
  const { header, columns } = decodeColumns(
    block(
      {
        runs: ["a"],
        columns: [
          { name: "step", type: "i64", offset: 0, count: 2 },
          { name: "mean", type: "f64", offset: 16, count: 2 },
          { name: "count", type: "u32", offset: 32, count: 2 },
        ],
      },
      body,
    ),
  );
  expect(header.runs).toEqual(["a"]);
  expect([...columns.step!]).toEqual([-5, 2 ** 40 + 7]);
  expect([...columns.mean!]).toEqual([0.5, NaN]);
  expect([...columns.count!]).toEqual([1, 2 ** 32 - 1]);
});

test("columns stay as narrow as they were sent, and one that all runs share is there once", () => {
  const body = new ArrayBuffer(56);
  new BigUint64Array(body, 0, 3).set([0n, 3n, 5n]);
  new Int32Array(body, 24, 3).set([-1, 0, 7]);
  new Float32Array(body, 40, 2).set([0.5, NaN]);
  new Uint8Array(body, 48, 3).set([1, 2, 255]);
  const decoded = decodeColumns(
    block(
      {
        columns: [
          { name: "offsets", type: "u64", offset: 0, count: 3 },
          { name: "step", type: "i32", offset: 24, count: 3, shared: true },
          { name: "mean", type: "f32", offset: 40, count: 2 },
          { name: "count", type: "u8", offset: 48, count: 3, shared: true },
        ],
      },
      body,
    ),
  );
  const { columns, shared } = decoded;
  expect(columns.step).toEqual(Int32Array.of(-1, 0, 7));
  expect(columns.mean).toEqual(Float32Array.of(0.5, NaN));
  expect([...shared]).toEqual(["step", "count"]);
  expect(rowColumn(decoded, "step")).toEqual(Int32Array.of(-1, 0, 7, -1, 0));
  expect(rowColumn(decoded, "count")).toEqual(Uint8Array.of(1, 2, 255, 1, 2));
  expect(rowColumn(decoded, "mean")).toBe(columns.mean);
});

test("something else is refused with a sentence", () => {
  expect(() => decodeColumns(new TextEncoder().encode("<!doctype html>").buffer as ArrayBuffer)).toThrow(
    "not a block of columns",
  );
  expect(() => decodeColumns(new ArrayBuffer(0))).toThrow("not a block of columns");
});

test("several blocks in one answer come apart, and one that could not be made says why", () => {
  const numbers = (value: number): ArrayBuffer =>
    block(
      { tag: `t${value}`, columns: [{ name: "mean", type: "f64", offset: 0, count: 1 }] },
      new Float64Array([value]).buffer,
    );
  const blocks = [numbers(1), numbers(2)];
  const body = new Uint8Array(blocks.reduce((sum, { byteLength }) => sum + byteLength, 0));
  body.set(new Uint8Array(blocks[0]!));
  body.set(new Uint8Array(blocks[1]!), blocks[0]!.byteLength);
  const answers = decodeBatch(
    block(
      { responses: [{ bytes: blocks[0]!.byteLength }, { error: "no such column" }, { bytes: blocks[1]!.byteLength }] },
      body.buffer,
    ),
  );
  expect(
    answers.map((answer) => (answer instanceof Error ? answer.message : [answer.header.tag, ...answer.columns.mean!])),
  ).toEqual([["t1", 1], "no such column", ["t2", 2]]);
});
