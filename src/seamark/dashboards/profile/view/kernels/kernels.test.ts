import { describe, expect, it } from "vitest";
import type { KernelRow, Kernels } from "../wire";
import { mergeByName } from "./by_name";
import { kernelColumns, shortName } from "./columns";
import { activityShares } from "./activities";

const row = (change: Partial<KernelRow>): KernelRow => ({
  name: "k",
  operator: "aten::mm",
  activity: 8,
  calls: 2,
  total_ns: 100,
  mean_ns: 50,
  min_ns: 10,
  max_ns: 90,
  grid: "",
  block: "",
  registers: null,
  shared_memory: null,
  occupancy: null,
  blocks_per_sm: null,
  tensor_cores: null,
  longest: 3,
  ...change,
});
const kernels = (rows: readonly KernelRow[]): Kernels => ({
  rows,
  total_ns: rows.reduce((sum, { total_ns }) => sum + total_ns, 0),
  tensor_core_share: null,
  is_cut: false,
});

describe("kernelColumns", () => {
  const ids = (rows: readonly KernelRow[], steps = 0): readonly string[] =>
    kernelColumns(kernels(rows), steps).map(({ id }) => id);

  it("leaves out launch parameters that no kernel has", () => {
    expect(ids([row({})])).not.toContain("registers");
    expect(ids([row({}), row({ registers: 32, grid: "1, 1, 1" })])).toEqual(
      expect.arrayContaining(["registers", "grid", "block"]),
    );
  });

  it("divides by the steps where there are any", () => {
    expect(ids([row({})])).not.toContain("step");
    const step = kernelColumns(kernels([row({})]), 4).find(({ id }) => id === "step");
    expect(step?.value(row({}))).toBe(25);
  });
});

describe("shortName", () => {
  it("drops the return type, namespaces and parameters", () => {
    expect(shortName("void cudnn::bn_fw<float, 512>(cudnnTensorStruct, float const*)")).toBe(
      "cudnn::bn_fw<float, 512>",
    );
    expect(
      shortName("void at::native::(anonymous namespace)::CatArray<at::native::(anonymous namespace)::T<4u>, 1>(int)"),
    ).toBe("CatArray<T<4u>, 1>");
  });

  it("keeps operators inside template arguments", () => {
    expect(shortName("void f<g::operator()() const::{lambda(float)#1}>(int, x(*)(int))")).toBe(
      "f<g::operator()() const::{lambda(float)#1}>",
    );
    expect(shortName("ampere_sgemm_128x64_tn")).toBe("ampere_sgemm_128x64_tn");
    expect(shortName("Memcpy HtoD (Pageable -> Device)")).toBe("Memcpy HtoD (Pageable -> Device)");
    expect(shortName(")")).toBe(")");
  });
});

describe("activityShares", () => {
  it("sums the time of each activity, the largest first", () => {
    const shares = activityShares(kernels([row({}), row({ activity: 10, total_ns: 300 }), row({ total_ns: 100 })]));
    expect(shares.map(({ label, share, calls }) => [label, share, calls])).toEqual([
      ["collective", 0.6, 2],
      ["compute, 32-bit", 0.4, 4],
    ]);
  });
});

describe("mergeByName", () => {
  it("sums the rows of a kernel, and keeps what they share", () => {
    const rows = [
      row({ grid: "1, 1, 1", block: "32, 1, 1", occupancy: 20 }),
      row({ name: "other" }),
      row({ grid: "8, 1, 1", block: "32, 1, 1", calls: 1, total_ns: 300, min_ns: 300, max_ns: 300, longest: 9 }),
      row({ occupancy: 60, grid: "8, 1, 1", block: "32, 1, 1", operator: "aten::bmm", total_ns: 300 }),
    ];
    const [merged, other] = mergeByName(rows);
    expect(merged).toMatchObject({ calls: 5, total_ns: 700, mean_ns: 140, min_ns: 10, max_ns: 300, longest: 9 });
    expect(merged).toMatchObject({ operator: "several", grid: "several", block: "32, 1, 1", occupancy: 50 });
    expect(other).toBe(rows[1]);
  });
});
