import { expect, test } from "vitest";
import { graphOfRun } from "./graph_of_run";

const of = (tags: Readonly<Record<string, readonly string[]>>): string | null => graphOfRun((kind) => tags[kind] ?? []);

test("the graph of a run is shown before those of its parts", () => {
  expect(of({ graphs: [""], graph_keras_model: ["keras"] })).toBe("run_graph");
  expect(of({ meta_graph: [""] })).toBe("run_graph");
});

test("a run of Keras 3 has the layers of its model, one of tf.function its trace", () => {
  expect(of({ graph_keras_model: ["keras"] })).toBe("keras:keras");
  expect(of({ graph_run_metadata_graph: ["func_trace"] })).toBe("profile:func_trace");
  expect(of({ scalars: ["loss"] })).toBeNull();
});
