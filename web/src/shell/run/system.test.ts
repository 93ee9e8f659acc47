import { expect, test } from "vitest";
import { systemCharts, systemValue } from "./system";

test("GPUs share a chart, and what says most comes first", () => {
  const tags = [
    "train/loss",
    "system/odd_thing",
    "system/disk/free_gb",
    "system/cpu/use_percent",
    "system/gpu/10/use_percent",
    "system/gpu/2/use_percent",
  ];
  expect(systemCharts(tags)).toEqual([
    { title: "GPU use", tags: ["system/gpu/2/use_percent", "system/gpu/10/use_percent"], unit: "%" },
    { title: "CPU", tags: ["system/cpu/use_percent"], unit: "%" },
    { title: "Disk free", tags: ["system/disk/free_gb"], unit: "GB" },
    { title: "odd thing", tags: ["system/odd_thing"], unit: "" },
  ]);
});

test("values carry their unit", () => {
  expect([
    systemValue(45.6, "%"),
    systemValue(1.5, "GB"),
    systemValue(2940, "W"),
    systemValue(0.25, "MB/s"),
    systemValue(NaN, "%"),
  ]).toEqual(["46%", "1.50 GB", "2,940 W", "0.3 MB/s", "–"]);
});
