/**
 * How many ways a browser's engine may try to match a pattern before it gives up, at worst. It backtracks: `(a+)+!` on forty letters
 * takes for ever. An upper bound, far above what sensible patterns take; Infinity where it is exponential, or not understood.
 */

interface Part {
  /** Ways to match it at one position of a text. */
  readonly ways: number;
  readonly canBeEmpty: boolean;
}

const EMPTY: Part = { ways: 1, canBeEmpty: true };
const LETTER: Part = { ways: 1, canBeEmpty: false };
const MAX_DEPTH = 50;

/** Of a search in a text of `length`: from every position, every way, every part of the pattern. */
export function searchCost(pattern: string, length: number): number {
  const reader = new Reader(pattern, length);
  const { ways } = reader.choice(0);
  return reader.isDone ? ways * (length + 1) * (pattern.length + 1) : Infinity;
}

class Reader {
  readonly #pattern: string;
  readonly #length: number;
  #at = 0;

  constructor(pattern: string, length: number) {
    this.#pattern = pattern;
    this.#length = length;
  }

  get isDone(): boolean {
    return this.#at === this.#pattern.length;
  }

  choice(depth: number): Part {
    if (depth > MAX_DEPTH) return { ways: Infinity, canBeEmpty: true };
    let { ways, canBeEmpty } = this.#sequence(depth);
    while (this.#take("|")) {
      const other = this.#sequence(depth);
      ways += other.ways;
      canBeEmpty ||= other.canBeEmpty;
    }
    return { ways, canBeEmpty };
  }

  #sequence(depth: number): Part {
    let [ways, canBeEmpty] = [1, true];
    while (!this.isDone && !"|)".includes(this.#pattern[this.#at]!)) {
      const part = this.#repeated(this.#atom(depth));
      ways *= part.ways;
      canBeEmpty &&= part.canBeEmpty;
    }
    return { ways, canBeEmpty };
  }

  #atom(depth: number): Part {
    if (this.#take("(")) {
      const head = this.#match(/\?(?:[:=!]|<[=!]|<[^>]*>|[a-z-]*:)/y);
      const inner = this.choice(depth + 1);
      this.#take(")");
      return /^\?<?[=!]$/.test(head) ? { ...inner, canBeEmpty: true } : inner;
    }
    if (this.#match(/\[\^?(?:\\.|[^\]\\])*\]/sy)) return LETTER;
    if (this.#match(/\^|\$|\\[bB]/y)) return EMPTY;
    if (this.#match(/\\k<[^>]*>|\\[1-9]/y)) return { ways: 1, canBeEmpty: true };
    if (!this.#match(/\\(?:u[\da-f]{4}|x[\da-f]{2}|c[a-z]|.)/isy)) this.#at += 1;
    return LETTER;
  }

  #repeated(part: Part): Part {
    const sign = this.#match(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
    if (sign === "") return part;
    const [low, high] = bounds(sign, this.#length);
    const canBeEmpty = part.canBeEmpty || low === 0;
    // Every number of repetitions can be given back, one after the other.
    if (part.ways === 1 && !part.canBeEmpty) return { ways: Math.max(1, high - low + 1), canBeEmpty };
    const each = part.ways + (part.canBeEmpty ? 1 : 0);
    return { ways: high > 1000 ? Infinity : (each ** (high + 1) - 1) / Math.max(1, each - 1), canBeEmpty };
  }

  #take(letter: string): boolean {
    if (this.#pattern[this.#at] !== letter) return false;
    this.#at += 1;
    return true;
  }

  #match(form: RegExp): string {
    form.lastIndex = this.#at;
    const found = form.exec(this.#pattern)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }
}

/** How often at least and at most; no more often than there are letters. */
function bounds(sign: string, length: number): [number, number] {
  const first = sign[0]!;
  if (first !== "{") return [first === "+" ? 1 : 0, first === "?" ? 1 : length];
  const [low, high] = sign.slice(1, sign.indexOf("}")).split(",");
  const most = high === undefined ? Number(low) : high === "" ? length : Number(high);
  return [Number(low), Math.min(most, Math.max(length, Number(low)))];
}
