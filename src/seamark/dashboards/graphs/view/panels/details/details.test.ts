import { expect, test } from "vitest";
import { costsOf } from "./costs";
import { orderForCharts, tagFilterOf } from "./tag_filter";

const FORMAT = {
  count: String,
  short: (value: number) => `${value / 1e9}G`,
  bytes: (value: number) => `${value} B`,
  microseconds: (value: number) => `${value} µs`,
};

const KNOWN = { has_unknown_multiply_adds: false, time: null, memory: null };

test("costs that are not known say so, and those that a box does not have are left out", () => {
  const details = { ...KNOWN, type: "op", multiply_adds: 0, output_bytes: 0, output_shapes: [""] } as const;
  expect(costsOf(details, FORMAT)).toEqual([]);
  const some = { ...details, has_unknown_multiply_adds: true };
  expect(costsOf({ ...some, multiply_adds: null }, FORMAT)[0]!.value).toBe("not known");
  expect(costsOf({ ...some, multiply_adds: 1e9 }, FORMAT)[0]!.value).toBe("at least 1G");
});

test("costs are listed with their units", () => {
  const details = { ...KNOWN, type: "op", multiply_adds: 4e9, output_bytes: 96, output_shapes: ["8×3", "8"] } as const;
  expect(costsOf({ ...details, time: 230, memory: 64 }, FORMAT)).toEqual([
    { name: "time", value: "230 µs" },
    { name: "memory", value: "64 B" },
    { name: "multiply-adds", value: "4G" },
    { name: "output", value: "96 B" },
    { name: "shapes", value: "8×3, 8" },
  ]);
  expect(costsOf({ ...details, type: "group", output_shapes: [] }, FORMAT)).toEqual([
    { name: "multiply-adds", value: "4G" },
  ]);
});

test("a filter of tags matches these and no others", () => {
  const filter = new RegExp(tagFilterOf(["grad/h.0", "loss (mean)"], "h.0"));
  expect(["grad/h.0", "loss (mean)", "grad/h10", "train/loss (mean)"].filter((tag) => filter.test(tag))).toEqual([
    "grad/h.0",
    "loss (mean)",
  ]);
});

test("many tags are filtered by their layer", () => {
  const tags = Array.from({ length: 200 }, (_, at) => `grad/gpt.h.${at}`);
  expect(tagFilterOf(tags, "gpt.h")).toBe("gpt[./]h");
});

test("charts begin with the sizes of gradients and what is not finite", () => {
  const tags = ["activations/fc/mean", "activations/fc/norm", "gradients/fc.bias/nan", "gradients/fc.weight/norm", "grad_norm/fc"]; // prettier-ignore
  expect(orderForCharts(tags)).toEqual([
    "gradients/fc.weight/norm",
    "grad_norm/fc",
    "gradients/fc.bias/nan",
    "activations/fc/norm",
    "activations/fc/mean",
  ]);
});
