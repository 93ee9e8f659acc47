import { expect, test } from "vitest";
import type { ColumnEntry, InfoResponse, ModelEntry, Schema } from "../wire";
import { taskOf, withColumn, withTarget } from "./schema";
import { lastLine, modelSentence, predictLine, setLabel } from "./sets";

const entry = (run: string, title: string) => ({ run, name: `file:${title}`, title, steps: [] });
const MODEL: ModelEntry = {
  name: "gbt",
  source: "process",
  can_predict: true,
  classes: [],
  row_ms: 0.9,
  error: "",
  traceback: "",
  progress: 1,
  note: "",
};

test("the run is named where several runs have sets", () => {
  const [a, b] = [entry("a", "census.csv"), entry("b", "census.csv")];
  expect(setLabel(a, [a], (run) => run)).toBe("census.csv");
  expect(setLabel(a, [a, b], (run) => run.toUpperCase())).toBe("census.csv · A");
});

test("the time of a row is said where it was measured", () => {
  expect(modelSentence(MODEL)).toMatch(/^Model runs in a process of its own, .+ a row\.$/);
  expect(modelSentence({ ...MODEL, source: "columns", row_ms: null })).toBe("Predictions are stored in the data.");
});

test("the line to copy names the file, quoted where a shell needs it", () => {
  const info = { models: [], can_predict: true } as unknown as InfoResponse;
  expect(predictLine(entry("", "my data.csv"), info)).toBe("seamark whatif 'my data.csv' --predict model.py:predict");
  expect(predictLine(entry("census", "a.csv"), info)).toContain(" whatif census/a.csv ");
  const opened = { ...entry("data", "data.csv"), name: "file:data.examples.csv" };
  expect(predictLine(opened, info)).toContain(" whatif data.csv ");
  expect(predictLine(entry("", "a.csv"), { ...info, models: [MODEL] })).toBe("");
});

test("a logged set has no file to name, so the line starts a server", () => {
  const info = { models: [] as readonly ModelEntry[] } as InfoResponse;
  const logged = { run: "census", name: "logged:eval", title: "eval", steps: [1] };
  expect(predictLine(logged, info)).toBe("seamark --logdir LOGDIR --allow_predict model.py:predict");
});

test("the last line of a traceback has the error", () => {
  expect(lastLine("Traceback …\n  File x\nValueError: no\n")).toBe("ValueError: no");
});

test("a set has one truth", () => {
  const schema: Schema = {
    columns: [
      { name: "a", type: "number", role: "truth" },
      { name: "b", type: "number", role: "feature" },
    ],
    target: "a",
    positive: "1",
  };
  const changed = withTarget(schema, "b", "regression");
  expect(changed).toMatchObject({ target: "b", positive: "", task: "regression" });
  expect(changed.columns.map(({ role }) => role)).toEqual(["feature", "truth"]);
  expect(withTarget(schema, "", undefined).target).toBe("");
  expect(withColumn(schema, "b", { type: "category" }).columns[1]).toMatchObject({ type: "category", role: "feature" });
});

test("the task follows from the truth", () => {
  const column = (more: Partial<ColumnEntry>): ColumnEntry =>
    ({ type: "category", names: [], minimum: null, maximum: null, is_whole: false, ...more }) as ColumnEntry;
  expect(taskOf(column({ type: "boolean" }))).toBe("binary");
  expect(taskOf(column({ names: ["yes", "no"] }))).toBe("binary");
  expect(taskOf(column({ names: ["a", "b", "c"] }))).toBe("multiclass");
  expect(taskOf(column({ type: "number", minimum: 0, maximum: 1, is_whole: true }))).toBe("binary");
  expect(taskOf(column({ type: "number", minimum: 0, maximum: 1 }))).toBe("regression");
});
