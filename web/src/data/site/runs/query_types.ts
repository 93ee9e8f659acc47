/** Finds text that a query compares with numbers, as compare/query/operators.py does: no row could match. */

import { QueryValueError } from "./query_evaluation";
import { partsOf, type Node } from "./query_parser";

const WORDS = { number: "a number", bool: "true or false", duration: "a duration", text: "text" } as const;

/** Null for what is not checked: a calculation, times, lists, and columns with numbers and text. */
export type ValueType = keyof typeof WORDS | null;

export const isChecked = (type: string | undefined): type is keyof typeof WORDS => type !== undefined && type in WORDS;

type Side = { readonly type: ValueType; readonly words: string; readonly isWritten: boolean };

export function checkTypes(node: Node, typeOf: (column: Node) => ValueType): void {
  const sideOf = (part: Node): Side => {
    if (part.type === "name" || part.type === "lookup")
      return { type: typeOf(part), words: `'${part.name}'`, isWritten: false };
    const value = part.type === "value" ? part.value : null;
    const type =
      typeof value === "number" ? "number" : typeof value === "string" ? "text" : value === null ? null : "bool";
    return {
      type,
      words: type === "text" ? `'${value}'` : type === "bool" ? (value ? "True" : "False") : String(value),
      isWritten: true,
    };
  };
  for (const part of partsOf(node)) checkTypes(part, typeOf);
  if (node.type !== "compare") return;
  let left = node.first;
  for (const [sign, right] of node.rest) {
    const isIn = sign === "in" || sign === "not in";
    const others = isIn ? (right.type === "list" ? right.items : []) : [right];
    for (const other of others) checkPair(isIn ? "in" : sign, sideOf(left), sideOf(other));
    left = right;
  }
}

function checkPair(sign: string, left: Side, right: Side): void {
  if (left.type === null || right.type === null || (left.type === "text") === (right.type === "text")) return;
  throw new QueryValueError(
    `'${sign}' compares ${left.words}, which is ${WORDS[left.type]}, with ${right.words}, which is ${WORDS[right.type]}` +
      (["==", "!=", "in"].includes(sign) ? adviceFor(left, right) || adviceFor(right, left) : ""),
  );
}

/** How to write a value of the query so that it has the type of the column. */
function adviceFor(column: Side, written: Side): string {
  if (column.isWritten || !written.isWritten) return "";
  if (column.type === "text") return written.type === "number" ? "; write it in quotes" : "";
  if (column.type !== "number") return "";
  const text = written.words.slice(1, -1);
  return text.trim() !== "" && Number.isFinite(Number(text)) ? `; write ${text} without quotes` : "";
}
