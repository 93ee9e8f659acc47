import { expect, test } from "vitest";
import { firstStepAfter, stepRemark } from "./header";

const step = (start_ns: number, duration_ns: number) => ({ name: "s", number: 1, start_ns, duration_ns, note: "" });

test("a step is compared with the mean unless it is about as long", () => {
  expect(stepRemark(step(0, 241.2e6), 212.4e6)).toEqual({ text: "241.2 ms, 28.8 over the mean", isSlow: true });
  expect(stepRemark(step(0, 200e6), 212.4e6)).toEqual({ text: "200 ms, 12.4 under the mean", isSlow: false });
  expect(stepRemark(step(0, 212e6), 212.4e6)).toEqual({ text: "212 ms", isSlow: false });
  expect(stepRemark(step(0, 1.1e9), 1e9).text).toBe("1.1 s, 100 ms over the mean");
  expect(stepRemark(step(0, 5e6), null).text).toBe("5 ms");
});

test("the first step that is visible", () => {
  const steps = [step(0, 10), step(10, 10), step(20, 10)];
  expect(firstStepAfter(steps, 10)).toBe(1);
  expect(firstStepAfter(steps, 99)).toBe(3);
});
