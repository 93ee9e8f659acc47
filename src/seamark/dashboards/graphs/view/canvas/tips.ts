/** What the page says of the box or edge under the pointer. */

import { format } from "$public/core";
import { partWords } from "../partial";
import type { Scene } from "./scene";

export interface Tip {
  readonly title: string;
  readonly lines: readonly string[];
}

export function boxTip({ graph, warnings }: Pick<Scene, "graph" | "warnings">, box: number): Tip {
  const { boxes, edges } = graph;
  const out = edges.source.findIndex((source, edge) => source === box && edges.shape[edge] !== "");
  const parameters = boxes.parameters[box]!;
  const hasParameters = parameters === null || parameters > 0;
  const words = partWords(parameters, boxes.has_unknown_parameters[box]!, format.count);
  const lines = [
    boxes.op[box]!,
    boxes.type[box] === "op" ? "" : format.counted(boxes.count[box]!, "node"),
    out < 0 ? "" : `output ${edges.shape[out]}`,
    hasParameters ? `parameters ${words}` : "",
    warnings?.get(boxes.id[box]!) ?? "",
  ];
  return { title: boxes.label[box]!, lines: lines.filter(Boolean) };
}

export function edgeTip({ graph: { boxes, edges } }: Pick<Scene, "graph">, edge: number): Tip {
  const [source, target] = [edges.source[edge]!, edges.target[edge]!].map((box) => boxes.label[box]!);
  const lines = [
    edges.count[edge]! > 1 ? format.counted(edges.count[edge]!, "edge") : "",
    edges.shape[edge]!,
    edges.bytes[edge]! >= 0 ? format.bytes(edges.bytes[edge]!) : "",
    edges.is_control[edge] ? "order only, no tensor" : "",
  ];
  return { title: `${source} → ${target}`, lines: lines.filter(Boolean) };
}
