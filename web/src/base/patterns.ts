/**
 * Regular expressions that somebody typed, or that came with a link or a log: none of them may freeze the page. The browser's engine
 * tries those that cannot take long; all others are tried by RE2, which takes linear time and is loaded when it is first needed.
 */

import { searchCost } from "./pattern_cost";

export const MAX_PATTERN = 1000;
/** Of longer texts the beginning is looked at. */
export const MAX_TEXT = 2000;
/** For one text: about 10 ms. */
const MAX_COST = 3e6;
/** For all texts of a pattern: what takes longer goes on with RE2. */
const MAX_NATIVE_MS = 100;

export type Found = readonly (string | undefined)[];

export interface Pattern {
  /** What was found, and what its groups caught; null: nothing. undefined: not known until RE2 is here, which is reactive. */
  find: (text: string) => Found | null | undefined;
  /** Why nothing can be found with it; "" where it can. Reactive: RE2 has no look-around. */
  readonly error: string;
}

type Engine = typeof import("re2js").RE2JS;
/** RE2, once it is here. */
export type LoadedEngine = Engine | "failed" | null;

/** Where the engine is kept: in the page, whoever reads it is run again when it is set (patterns.svelte.ts). */
export interface EngineHolder {
  engine: LoadedEngine;
}

let holder: EngineHolder = { engine: null };
let loading: Promise<void> | null = null;

export function holdEngine(replacement: EngineHolder): void {
  replacement.engine = holder.engine;
  holder = replacement;
}

/** Loads RE2; for tests, and called by whoever needs it. */
export function loadEngine(): Promise<void> {
  return (loading ??= import("re2js").then(
    ({ RE2JS }) => void (holder.engine = RE2JS),
    () => void (holder.engine = "failed"),
  ));
}

export function compilePattern(text: string, { ignoreCase = false } = {}): Pattern {
  if (text.length > MAX_PATTERN)
    return failing(`The regular expression is too long: ${text.length} characters, ${MAX_PATTERN} at most`);
  try {
    return new SafePattern(new RegExp(text, ignoreCase ? "i" : ""));
  } catch (error) {
    return failing(
      `Not a regular expression: ${error instanceof Error ? error.message.replace(/^.*: /, "") : String(error)}`,
    );
  }
}

/** A filter as typed: a regular expression, or the reason why it is none. An empty one matches all, and so does one that cannot be tried. */
export function parseFilter(text: string): { matches: (name: string) => boolean; readonly error: string } {
  if (text.trim() === "") return { matches: () => true, error: "" };
  // What may stand before and behind a match changes nothing but the time.
  const bare = text.replace(/^(?:\.\*)+(?![?+*{])/, "").replace(/(?<!\\)(?:\.\*)+$/, "");
  const pattern = compilePattern(bare === "" ? text : bare, { ignoreCase: true });
  return {
    matches: (name) => pattern.find(name) !== null,
    get error() {
      return pattern.error;
    },
  };
}

const failing = (error: string): Pattern => ({ find: () => undefined, error });

class SafePattern implements Pattern {
  readonly #native: RegExp;
  readonly #costs = new Map<number, number>();
  #spentMs = 0;
  #linear: { readonly find: (text: string) => Found | null; readonly error: string } | null = null;

  constructor(native: RegExp) {
    this.#native = native;
  }

  get error(): string {
    return this.#isHard(64) ? (this.#engine()?.error ?? "") : "";
  }

  find(name: string): Found | null | undefined {
    const text = name.length > MAX_TEXT ? name.slice(0, MAX_TEXT) : name;
    if (!this.#isHard(text.length)) {
      const began = performance.now();
      const found = this.#native.exec(text);
      this.#spentMs += performance.now() - began;
      return found;
    }
    const linear = this.#engine();
    return linear === null || linear.error ? undefined : linear.find(text);
  }

  #isHard(length: number): boolean {
    if (this.#spentMs > MAX_NATIVE_MS) return true;
    const rounded = 2 ** Math.ceil(Math.log2(Math.max(32, length)));
    let cost = this.#costs.get(rounded);
    if (cost === undefined) this.#costs.set(rounded, (cost = searchCost(this.#native.source, rounded)));
    return cost > MAX_COST;
  }

  /** null: not here yet. Reading the engine makes whoever asked try again when it is. */
  #engine(): { readonly find: (text: string) => Found | null; readonly error: string } | null {
    if (this.#linear !== null) return this.#linear;
    const RE2 = holder.engine;
    if (RE2 === null) {
      void loadEngine();
      return null;
    }
    return (this.#linear =
      RE2 === "failed" ? unusable("it could not be tried safely") : linearPattern(RE2, this.#native));
  }
}

const unusable = (reason: string): { find: (text: string) => null; error: string } => ({
  find: () => null,
  error: `This regular expression may take too long: ${reason}`,
});

function linearPattern(
  RE2: Engine,
  native: RegExp,
): { readonly find: (text: string) => Found | null; readonly error: string } {
  try {
    const compiled = RE2.compile(native.source, native.ignoreCase ? RE2.CASE_INSENSITIVE : 0);
    const groups = compiled.groupCount();
    return {
      error: "",
      find: (text) => {
        if (groups === 0 && !compiled.test(text)) return null;
        const matcher = compiled.matcher(text);
        return matcher.find() ? Array.from({ length: groups + 1 }, (_, at) => matcher.group(at) ?? undefined) : null;
      },
    };
  } catch {
    return unusable("write it with fewer repetitions, or without look-around and backreferences");
  }
}

/** A pattern that matches this text and no other. */
export const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
