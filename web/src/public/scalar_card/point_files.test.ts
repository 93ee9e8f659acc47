import { expect, test } from "vitest";
import { CSV_HEAD, csvRows, jsonText } from "./point_files";

const block = {
  tag: 'a "b", c',
  runs: ["x", "y"],
  columns: {
    offsets: Float64Array.of(0, 2, 3),
    step: Float64Array.of(0, 1, 5),
    wall: Float64Array.of(1.5, 2.25, 3),
    first: Float64Array.of(0.1, NaN, -Infinity),
  },
};

test("a CSV keeps every digit and quotes what must be", () => {
  expect(CSV_HEAD + csvRows(block)).toBe(
    'tag,run,step,wall_time,value\r\n"a ""b"", c",x,0,1.5,0.1\r\n"a ""b"", c",x,1,2.25,NaN\r\n"a ""b"", c",y,5,3,-Infinity\r\n',
  );
});

test("JSON has one entry for each run, and words where there is no number", () => {
  expect(JSON.parse(jsonText([block]))).toEqual({
    series: [
      { tag: 'a "b", c', run: "x", steps: [0, 1], wall_times: [1.5, 2.25], values: [0.1, "NaN"] },
      { tag: 'a "b", c', run: "y", steps: [5], wall_times: [3], values: ["-Infinity"] },
    ],
  });
});
