import { expect, test } from "vitest";
import { merged } from "./notes";

const empty = { version: 1, runs: {}, pins: [], views: {}, dashboards: {} };

test("a change keeps what it does not name, and null removes", () => {
  const starred = merged(empty, { runs: { a: { star: true, note: "good" } } });
  expect(merged(starred, { runs: { a: { star: null }, b: { label: "B" } } }).runs).toEqual({
    a: { note: "good" },
    b: { label: "B" },
  });
  expect(merged(starred, { runs: { a: { star: null, note: null } } }).runs).toEqual({});
});
