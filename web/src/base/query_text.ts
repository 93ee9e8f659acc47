/** What a person typed into a query box: nothing, a part of a name, a regular expression, or an expression in Python's spelling. */

export type QueryKind = "empty" | "name" | "regex" | "expression";

export interface Token {
  readonly kind: "text" | "number" | "word" | "keyword" | "sign" | "space";
  readonly text: string;
  readonly at: number;
}

const KEYWORDS = new Set(["and", "or", "not", "in", "is", "None", "True", "False"]);
const TOKEN =
  /(?<text>"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|(?<number>\d[\d_]*\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|(?<word>[\p{L}_][\p{L}\p{N}_]*)|(?<space>\s+)|(?<sign>[<>=!]=|\*\*|\/\/|&&|\|\||[^])/gu;

export function tokensOf(query: string): Token[] {
  return [...query.matchAll(TOKEN)].map(({ groups, 0: text, index: at }) => {
    const kind = (["text", "number", "word", "space"] as const).find((name) => groups![name] !== undefined) ?? "sign";
    return { kind: kind === "word" && KEYWORDS.has(text) ? "keyword" : kind, text, at };
  });
}

const COMPARISONS = new Set(["<", ">", "<=", ">=", "==", "!=", "=", "&&", "||"]);
const JOINING = new Set(["and", "or", "in", "is"]);
const REGEX_SIGNS = /[\\^$*+?()[\]{}|]/;

/** The same rule as the server's, for what the page filters by itself. */
export function kindOf(query: string): QueryKind {
  const text = query.trim();
  if (text === "") return "empty";
  if (text.length > 1 && text.startsWith("/") && text.endsWith("/")) return "regex";
  if (isExpression(tokensOf(text).filter(({ kind }) => kind !== "space"))) return "expression";
  return REGEX_SIGNS.test(text) ? "regex" : "name";
}

function isExpression(tokens: readonly Token[]): boolean {
  const isValue = (token: Token | undefined): boolean =>
    token !== undefined && (token.kind !== "sign" || ["]", ")", "(", "[", "-"].includes(token.text));
  // No expression begins with a comparison; "<b>" is a part of some name.
  if (tokens[0] && COMPARISONS.has(tokens[0].text)) return false;
  return tokens.some((token, index) => {
    const [before, after] = [tokens[index - 1], tokens[index + 1]];
    if (token.kind === "keyword" && JOINING.has(token.text)) return isValue(before) && isValue(after);
    if (token.text === "not") return index === 0 && after !== undefined && isValue(after);
    // "lr=0.1" is how many runs are called.
    if (
      token.text === "=" &&
      !(before && token.at > before.at + before.text.length && after && after.at > token.at + 1)
    )
      return false;
    if (COMPARISONS.has(token.text)) return isValue(before) && before!.text !== "(";
    // A call: a word right before a bracket that holds a text, as in tag("x"). A group of a regular expression holds none.
    if (token.text === "(" || token.text === "[")
      return before?.kind === "word" && before.at + before.text.length === token.at && after?.kind === "text";
    return false;
  });
}

/** What was typed as a regular expression over names; null for an expression. */
export function namePattern(query: string): string | null {
  const kind = kindOf(query);
  const text = query.trim();
  if (kind === "expression") return null;
  return kind === "regex" && text.length > 1 && text.startsWith("/") && text.endsWith("/") ? text.slice(1, -1) : query;
}

/** The server counts characters, the browser halves of some: 🐟 is one there and two here. */
export function unitsOf(text: string, characters: number): number {
  let units = 0;
  let count = 0;
  for (const character of text) {
    if (count >= characters) break;
    units += character.length;
    count += 1;
  }
  return units + Math.max(0, characters - count);
}

export const charactersOf = (text: string, units: number): number => [...text.slice(0, units)].length;

interface Completed {
  readonly from: number;
  readonly to: number;
  readonly options: readonly { readonly text: string; readonly kind: string; readonly detail: string }[];
}

/** What an answer for an earlier text still says while more of the word is typed; null when it says nothing about the text as it is. */
export function narrowed<T extends Completed>({
  completion,
  then,
  now,
}: {
  completion: T;
  then: string;
  now: string;
}): Completed | null {
  if (then === now) return completion;
  const isMore =
    now.startsWith(then) &&
    charactersOf(then, then.length) === completion.to &&
    /^[\p{L}\p{N}_./-]+$/u.test(now.slice(then.length));
  if (!isMore) return null;
  const to = charactersOf(now, now.length);
  const word = now.slice(unitsOf(now, completion.from)).toLowerCase();
  return {
    from: completion.from,
    to,
    options: completion.options.filter(({ text }) => text.toLowerCase().startsWith(word)),
  };
}

/** While a word is typed, or a bracket or a text is open, there is more to come: asking now would only earn an error. */
export function isUnfinished(query: string): boolean {
  const tokens = tokensOf(query.trim());
  const last = tokens.at(-1);
  if (!last) return false;
  const depth = tokens.reduce((open, { text }) => open + ("([{".includes(text) ? 1 : ")]}".includes(text) ? -1 : 0), 0);
  const isOpenText = last.kind === "text" && (last.text.length < 2 || last.text.at(-1) !== last.text[0]);
  return (
    depth > 0 ||
    isOpenText ||
    last.kind === "word" ||
    last.kind === "keyword" ||
    (last.kind === "sign" && !")]}".includes(last.text))
  );
}
