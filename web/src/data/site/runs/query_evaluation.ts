/** Evaluates a query for one run. Logic has three values: null is neither true nor false (compare/query/evaluation.py). */

import { compilePattern } from "../../../base/patterns";
import type { Cell } from "../../table";
import type { Node } from "./query_parser";

export type Value = Cell | readonly Value[];

/** The cell of a column; times and numbers as numbers. */
export type CellOf = (column: string) => Value;

/** An error without a position: the whole query is marked. */
export class QueryValueError extends Error {}

type Logic = boolean | null;

export function isMatch(node: Node, cellOf: CellOf, resolve: (node: Node) => string): boolean {
  return truth(new Evaluator(cellOf, resolve).value(node)) === true;
}

function truth(value: Value): Logic {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") return value !== 0;
  return value.length > 0;
}

class Evaluator {
  constructor(
    private readonly cellOf: CellOf,
    private readonly resolve: (node: Node) => string,
  ) {}

  value(node: Node): Value {
    switch (node.type) {
      case "value":
        return node.value;
      case "list":
        return node.items.map((item) => this.value(item));
      case "unary":
        return this.#unary(node.sign, this.value(node.part));
      case "binary":
        return this.#binary(node);
      case "compare":
        return this.#compare(node);
      case "call":
        return this.#call(node.name, node.args);
      default:
        return this.cellOf(this.resolve(node));
    }
  }

  #unary(sign: string, value: Value): Value {
    if (sign !== "not") return value === null ? null : sign === "-" ? -number(value) : number(value);
    const logic = truth(value);
    return logic === null ? null : !logic;
  }

  #binary({ sign, left, right }: Extract<Node, { type: "binary" }>): Value {
    if (sign === "and" || sign === "or") return joined(sign, truth(this.value(left)), truth(this.value(right)));
    const [a, b] = [this.value(left), this.value(right)];
    if (a === null || b === null) return null;
    return arithmetic(sign, number(a), number(b));
  }

  /** `a < b < c` is `a < b and b < c`. */
  #compare({ first, rest }: Extract<Node, { type: "compare" }>): Logic {
    let left = this.value(first);
    let found: Logic = true;
    for (const [sign, node] of rest) {
      const right = this.value(node);
      found = joined("and", found, compared(sign, left, right));
      left = right;
    }
    return found;
  }

  #call(name: string, args: readonly Node[]): Value {
    if (name === "now" && args.length === 0) return Date.now() / 1000;
    const make = FUNCTIONS[name];
    if (!make)
      throw new QueryValueError(`there is no function '${name}'; there are ${Object.keys(FUNCTIONS).join(", ")}`);
    const values = args.map((arg) => this.value(arg));
    if (name === "tag")
      return ((this.cellOf("run:tags") as readonly string[] | null) ?? []).includes(String(values[0]));
    return values.includes(null) ? null : make(...values);
  }
}

function joined(sign: "and" | "or", a: Logic, b: Logic): Logic {
  const decisive = sign === "or";
  if (a === decisive || b === decisive) return decisive;
  return a === null || b === null ? null : !decisive;
}

function compared(sign: string, left: Value, right: Value): Logic {
  if (sign === "is" || sign === "is not") return (left === right) === (sign === "is");
  if ((left === null || right === null) && (sign === "==" || sign === "!="))
    return right === null ? (left === null) === (sign === "==") : null;
  if (left === null || right === null) return null;
  if (sign === "in" || sign === "not in") return contains(right, left) === (sign === "in");
  const [a, b] = comparable(left, right);
  if (sign === "==" || sign === "!=") return (a === b) === (sign === "==");
  // A number is neither below nor above a text.
  if (typeof a !== typeof b || Array.isArray(a)) return null;
  const [x, y] = [a as number, b as number];
  return sign === "<" ? x < y : sign === "<=" ? x <= y : sign === ">" ? x > y : x >= y;
}

/** A time is compared with text such as "2026-11-01 12:30", in UTC. */
function comparable(a: Value, b: Value): readonly [Value, Value] {
  if (typeof a === "number" && typeof b === "string") return [a, secondsOf(b) ?? b];
  if (typeof a === "string" && typeof b === "number") return [secondsOf(a) ?? a, b];
  return [a, b];
}

function secondsOf(text: string): number | null {
  const parts = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?))?$/.exec(text.trim());
  return parts ? Date.parse(`${parts[1]}T${parts[2] ?? "00:00"}Z`) / 1000 : null;
}

function contains(whole: Value, part: Value): boolean {
  if (typeof whole === "string") return typeof part === "string" && whole.includes(part);
  if (Array.isArray(whole)) return whole.includes(part);
  throw new QueryValueError("'in' needs text or a list on its right");
}

function number(value: Value): number {
  if (typeof value === "number" || typeof value === "boolean") return Number(value);
  throw new QueryValueError("this needs a number");
}

function arithmetic(sign: string, a: number, b: number): number {
  switch (sign) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / b;
    case "//":
      return Math.floor(a / b);
    case "%":
      return a - Math.floor(a / b) * b;
    default:
      return a ** b;
  }
}

const text = (value: Value): string => {
  if (typeof value === "string") return value;
  throw new QueryValueError("this needs text");
};

const FUNCTIONS: Readonly<Record<string, (...values: Value[]) => Value>> = {
  tag: () => null,
  abs: (x) => Math.abs(number(x!)),
  log: (x) => Math.log(number(x!)),
  log10: (x) => Math.log10(number(x!)),
  isnan: (x) => Number.isNaN(number(x!)),
  min: (...values) => Math.min(...values.map(number)),
  max: (...values) => Math.max(...values.map(number)),
  len: (x) => (Array.isArray(x) ? x.length : [...text(x!)].length),
  lower: (x) => text(x!).toLowerCase(),
  upper: (x) => text(x!).toUpperCase(),
  startswith: (x, part) => text(x!).startsWith(text(part!)),
  endswith: (x, part) => text(x!).endsWith(text(part!)),
  matches: (x, pattern) => (compilePattern(text(pattern!)).find(text(x!)) ?? null) !== null,
  days: (n) => number(n!) * 86400,
  hours: (n) => number(n!) * 3600,
  minutes: (n) => number(n!) * 60,
};
