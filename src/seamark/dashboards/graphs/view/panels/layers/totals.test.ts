import { expect, test } from "vitest";
import { totalTexts } from "./totals";

const FORMAT = {
  count: String,
  short: (value: number) => `${value}!`,
  bytes: (value: number) => `${value} B`,
  microseconds: (value: number) => `${value} µs`,
};
const UNKNOWN = {
  has_unknown_parameters: false,
  multiply_adds: null,
  bytes: null,
  time: null,
  is_per_example: false,
  is_partial: false,
};
const textOf = (totals: Parameters<typeof totalTexts>[0]): string =>
  totalTexts(totals, FORMAT)
    .map(({ value, words }) => `${value} ${words}`)
    .join(" · ");

test("parameters say which of them are trainable", () => {
  expect(textOf({ ...UNKNOWN, parameters: 9, trainable: 9 })).toBe("9 parameters, all trainable");
  expect(textOf({ ...UNKNOWN, parameters: 9, trainable: 0 })).toBe("9 parameters, none trainable");
  expect(textOf({ ...UNKNOWN, parameters: 9, trainable: 4 })).toBe("9 parameters, 4 trainable");
  expect(textOf({ ...UNKNOWN, parameters: 0, trainable: 0 })).toBe("no parameters");
});

test("parameters that are not known are not zero", () => {
  const some = { ...UNKNOWN, has_unknown_parameters: true };
  expect(textOf({ ...some, parameters: null, trainable: 0 })).toBe("not known parameters");
  expect(textOf({ ...some, parameters: 9, trainable: 9 })).toBe("at least 9 parameters");
});

test("costs without a known batch size are those of one example", () => {
  const totals = {
    parameters: 1,
    trainable: 1,
    has_unknown_parameters: false,
    multiply_adds: 5,
    bytes: 6,
    time: 7,
    is_per_example: true,
    is_partial: true,
  };
  expect(textOf(totals)).toBe(
    "1 parameters, all trainable · at least 5! multiply-adds per example · 6 B activations per example · 7 µs compute time",
  );
});
