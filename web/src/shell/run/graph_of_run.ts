/** Which graph the page of a run shows. */

/** The graph of the run; or the layers of its Keras model, which is all that Keras 3 logs; or a traced function. */
export function graphOfRun(tagsOf: (kind: string) => readonly string[]): string | null {
  if (tagsOf("graphs").length > 0 || tagsOf("meta_graph").length > 0) return "run_graph";
  const [model] = tagsOf("graph_keras_model");
  if (model !== undefined) return `keras:${model}`;
  const [trace] = tagsOf("graph_run_metadata_graph");
  return trace === undefined ? null : `profile:${trace}`;
}
