/** The query language of docs/query.md as a tree. compare/query/expression.py is the server's; both take the same texts. */

import { tokensOf, type Token } from "../../../base/query_text";

export type Node =
  | { readonly type: "value"; readonly value: number | string | boolean | null }
  | { readonly type: "name"; readonly name: string }
  | { readonly type: "lookup"; readonly source: string; readonly name: string; readonly stat: string }
  | { readonly type: "call"; readonly name: string; readonly args: readonly Node[] }
  | { readonly type: "list"; readonly items: readonly Node[] }
  | { readonly type: "unary"; readonly sign: string; readonly part: Node }
  | { readonly type: "binary"; readonly sign: string; readonly left: Node; readonly right: Node }
  | { readonly type: "compare"; readonly first: Node; readonly rest: readonly (readonly [string, Node])[] };

/** What a node consists of. */
export function partsOf(node: Node): readonly Node[] {
  switch (node.type) {
    case "list":
      return node.items;
    case "call":
      return node.args;
    case "unary":
      return [node.part];
    case "binary":
      return [node.left, node.right];
    case "compare":
      return [node.first, ...node.rest.map(([, part]) => part)];
    default:
      return [];
  }
}

/** `at` counts UTF-16 units of the query. */
export class QuerySyntaxError extends Error {
  constructor(
    message: string,
    readonly at: number,
    readonly length: number,
  ) {
    super(message);
  }
}

const COMPARISONS = new Set(["<", "<=", ">", ">=", "==", "!="]);
const LOOKUPS = new Set(["param", "metric", "summary"]);
const CONSTANTS: Readonly<Record<string, boolean | null>> = { True: true, False: false, None: null };
const MAX_LENGTH = 4000;
const MAX_DEPTH = 60;

export function parseQuery(text: string): Node {
  if (text.length > MAX_LENGTH)
    throw new QuerySyntaxError(`the query has ${text.length} characters, the limit is ${MAX_LENGTH}`, 0, text.length);
  return new Parser(text).whole();
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #end: number;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text).filter(({ kind }) => kind !== "space");
    this.#end = text.trimEnd().length;
  }

  whole(): Node {
    const found = this.#or();
    if (this.#token) throw this.#error("this is not part of the expression");
    return found;
  }

  get #token(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #error(message: string): QuerySyntaxError {
    const token = this.#token;
    return token
      ? new QuerySyntaxError(message, token.at, token.text.length)
      : new QuerySyntaxError("something is missing at the end", this.#end, 1);
  }

  #take(...texts: readonly string[]): string | undefined {
    const token = this.#token;
    if (!token || token.kind === "text" || !texts.includes(token.text)) return undefined;
    this.#at += 1;
    return token.text;
  }

  #need(text: string): void {
    if (this.#take(text) === undefined) throw this.#error(`want "${text}" here`);
  }

  #or(): Node {
    if ((this.#depth += 1) > MAX_DEPTH) throw this.#error(`the query is too big: the limit is ${MAX_DEPTH} levels`);
    const found = this.#joined(["or"], () => this.#joined(["and"], () => this.#not()));
    this.#depth -= 1;
    return found;
  }

  #joined(signs: readonly string[], part: () => Node): Node {
    let left = part();
    for (let sign = this.#take(...signs); sign !== undefined; sign = this.#take(...signs))
      left = { type: "binary", sign, left, right: part() };
    return left;
  }

  #not(): Node {
    return this.#take("not") === undefined ? this.#comparison() : { type: "unary", sign: "not", part: this.#not() };
  }

  #comparison(): Node {
    const first = this.#sum();
    const rest: (readonly [string, Node])[] = [];
    for (let sign = this.#comparisonSign(); sign !== undefined; sign = this.#comparisonSign())
      rest.push([sign, this.#sum()]);
    return rest.length === 0 ? first : { type: "compare", first, rest };
  }

  #comparisonSign(): string | undefined {
    const sign = this.#take(...COMPARISONS, "in", "is", "not");
    if (sign === "is") return this.#take("not") === undefined ? "is" : "is not";
    if (sign === "not") {
      this.#need("in");
      return "not in";
    }
    if (sign === undefined && this.#token?.text === "=") throw this.#error("write '==' to compare");
    return sign;
  }

  #sum(): Node {
    return this.#joined(["+", "-"], () => this.#joined(["*", "/", "//", "%"], () => this.#signed()));
  }

  #signed(): Node {
    const sign = this.#take("-", "+");
    return sign === undefined ? this.#power() : { type: "unary", sign, part: this.#signed() };
  }

  #power(): Node {
    const left = this.#primary();
    return this.#take("**") === undefined ? left : { type: "binary", sign: "**", left, right: this.#signed() };
  }

  #primary(): Node {
    const token = this.#token;
    if (!token) throw this.#error("");
    if (this.#take("(") !== undefined) return this.#closed(")");
    if (this.#take("[") !== undefined) return { type: "list", items: this.#list("]") };
    this.#at += 1;
    if (token.kind === "number") return { type: "value", value: Number(token.text.replaceAll("_", "")) };
    if (token.kind === "text") return { type: "value", value: unquoted(token) };
    if (token.kind === "keyword" && token.text in CONSTANTS) return { type: "value", value: CONSTANTS[token.text]! };
    if (token.kind === "word") return this.#named(token.text);
    this.#at -= 1;
    throw this.#error("write a name, a number or text here");
  }

  /** The rest of `(a, b)` or `(a)`. */
  #closed(end: string): Node {
    const items = this.#list(end);
    return items.length === 1 ? items[0]! : { type: "list", items };
  }

  #list(end: string): Node[] {
    const items: Node[] = [];
    while (this.#take(end) === undefined) {
      items.push(this.#or());
      if (this.#take(",") === undefined) {
        this.#need(end);
        break;
      }
    }
    return items;
  }

  #named(word: string): Node {
    if (this.#take("(") !== undefined) return { type: "call", name: word, args: this.#list(")") };
    if (LOOKUPS.has(word) && this.#take("[") !== undefined) {
      const token = this.#token;
      if (token?.kind !== "text") throw this.#error(`write the name in quotes: ${word}["…"]`);
      this.#at += 1;
      this.#need("]");
      const stat = word === "metric" && this.#take(".") !== undefined ? this.#word() : "last";
      return { type: "lookup", source: word, name: unquoted(token), stat };
    }
    const names = [word];
    while (this.#take(".") !== undefined) names.push(this.#word());
    return { type: "name", name: names.join(".") };
  }

  #word(): string {
    const token = this.#token;
    if (token?.kind !== "word") throw this.#error("write a name after the dot");
    this.#at += 1;
    return token.text;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

function unquoted({ text, at }: Token): string {
  const quote = text[0]!;
  if (text.length < 2 || !text.endsWith(quote)) throw new QuerySyntaxError("the text has no end", at, text.length);
  return text.slice(1, -1).replace(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter);
}
