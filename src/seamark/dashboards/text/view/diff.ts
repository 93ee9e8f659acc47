/** What changed between two texts: lines first, then words inside the lines that changed. */

export type Change = "same" | "removed" | "added";

export interface Part {
  readonly text: string;
  readonly isChanged: boolean;
}

export interface Row {
  readonly change: Change;
  /** Line numbers from 1, on the side that has the line. */
  readonly left: number | null;
  readonly right: number | null;
  readonly parts: readonly Part[];
}

/** A gap stands for equal lines that are not shown. */
export interface Gap {
  readonly hidden: number;
}

/** More edits than a person reads: from there on everything counts as replaced. */
const MAX_EDITS = 1500;
const MAX_WORDS = 2000;
const CONTEXT = 3;
const WORDS = /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;

interface Op {
  readonly change: Change;
  readonly left: number;
  readonly right: number;
}

/** Myers' greedy algorithm on what lies between the common beginning and the common end. */
export function opsOf(left: readonly string[], right: readonly string[]): Op[] {
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let tail = 0;
  while (
    tail < left.length - start &&
    tail < right.length - start &&
    left[left.length - 1 - tail] === right[right.length - 1 - tail]
  )
    tail += 1;
  const ops: Op[] = [];
  for (let at = 0; at < start; at += 1) ops.push({ change: "same", left: at, right: at });
  ops.push(...between(left, right, start, left.length - tail, right.length - tail));
  for (let at = tail; at > 0; at -= 1) ops.push({ change: "same", left: left.length - at, right: right.length - at });
  return ops;
}

function between(
  left: readonly string[],
  right: readonly string[],
  start: number,
  leftEnd: number,
  rightEnd: number,
): Op[] {
  const n = leftEnd - start;
  const m = rightEnd - start;
  const most = Math.min(n + m, MAX_EDITS);
  const traces: Int32Array[] = [];
  const reach = new Int32Array(2 * most + 3);
  const middle = most + 1;
  for (let edits = 0; edits <= most; edits += 1) {
    traces.push(reach.slice(middle - edits - 1, middle + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && reach[middle + k - 1]! < reach[middle + k + 1]!);
      let x = down ? reach[middle + k + 1]! : reach[middle + k - 1]! + 1;
      while (x < n && x - k < m && left[start + x] === right[start + x - k]) x += 1;
      reach[middle + k] = x;
      if (x >= n && x - k >= m) return walkBack(traces, edits, n, m, start);
    }
  }
  return [
    ...Array.from({ length: n }, (_, at) => ({ change: "removed" as const, left: start + at, right: start })),
    ...Array.from({ length: m }, (_, at) => ({ change: "added" as const, left: leftEnd, right: start + at })),
  ];
}

function walkBack(traces: readonly Int32Array[], edits: number, n: number, m: number, start: number): Op[] {
  const ops: Op[] = [];
  let x = n;
  let y = m;
  for (let d = edits; d > 0; d -= 1) {
    const reach = traces[d]!;
    const at = (k: number): number => reach[k + d + 1]!;
    const k = x - y;
    const down = k === -d || (k !== d && at(k - 1) < at(k + 1));
    const before = down ? k + 1 : k - 1;
    const fromX = at(before);
    const fromY = fromX - before;
    const stepX = down ? fromX : fromX + 1;
    while (x > stepX) {
      x -= 1;
      y -= 1;
      ops.push({ change: "same", left: start + x, right: start + y });
    }
    ops.push(
      down
        ? { change: "added", left: start + fromX, right: start + fromY }
        : { change: "removed", left: start + fromX, right: start + fromY },
    );
    x = fromX;
    y = fromY;
  }
  while (x > 0) {
    x -= 1;
    y -= 1;
    ops.push({ change: "same", left: start + x, right: start + y });
  }
  return ops.reverse();
}

export interface Diff {
  readonly rows: readonly (Row | Gap)[];
  readonly removed: number;
  readonly added: number;
}

export function diffOf(leftText: string, rightText: string, context = CONTEXT): Diff {
  const left = leftText.split(/\r?\n/);
  const right = rightText.split(/\r?\n/);
  const ops = opsOf(left, right);
  const rows: Row[] = [];
  for (let at = 0; at < ops.length;) {
    const op = ops[at]!;
    if (op.change === "same") {
      rows.push({
        change: "same",
        left: op.left + 1,
        right: op.right + 1,
        parts: [{ text: left[op.left]!, isChanged: false }],
      });
      at += 1;
      continue;
    }
    let end = at;
    while (end < ops.length && ops[end]!.change !== "same") end += 1;
    rows.push(...changedRows(ops.slice(at, end), left, right));
    at = end;
  }
  const count = (change: Change): number => rows.filter((row) => row.change === change).length;
  return { rows: collapse(rows, context), removed: count("removed"), added: count("added") };
}

/** Of a block of changes: what went, then what came; lines that face each other show their words. */
function changedRows(ops: readonly Op[], left: readonly string[], right: readonly string[]): Row[] {
  const removed = ops.filter(({ change }) => change === "removed");
  const added = ops.filter(({ change }) => change === "added");
  const pairs =
    removed.length === added.length ? removed.map((op, at) => wordsOf(left[op.left]!, right[added[at]!.right]!)) : null;
  const whole = (text: string): Part[] => [{ text, isChanged: false }];
  return [
    ...removed.map((op, at): Row => ({
      change: "removed",
      left: op.left + 1,
      right: null,
      parts: pairs ? pairs[at]![0] : whole(left[op.left]!),
    })),
    ...added.map((op, at): Row => ({
      change: "added",
      left: null,
      right: op.right + 1,
      parts: pairs ? pairs[at]![1] : whole(right[op.right]!),
    })),
  ];
}

export function wordsOf(leftLine: string, rightLine: string): readonly [Part[], Part[]] {
  const left = leftLine.match(WORDS) ?? [];
  const right = rightLine.match(WORDS) ?? [];
  if (left.length + right.length > MAX_WORDS)
    return [[{ text: leftLine, isChanged: true }], [{ text: rightLine, isChanged: true }]];
  const ops = opsOf(left, right);
  const isSame = (change: Change): boolean => change === "same";
  return [
    joined(
      ops
        .filter(({ change }) => change !== "added")
        .map((op) => ({ text: left[op.left]!, isChanged: !isSame(op.change) })),
    ),
    joined(
      ops
        .filter(({ change }) => change !== "removed")
        .map((op) => ({ text: right[op.right]!, isChanged: !isSame(op.change) })),
    ),
  ];
}

function joined(parts: readonly Part[]): Part[] {
  const out: Part[] = [];
  for (const part of parts) {
    const last = out.at(-1);
    if (last?.isChanged === part.isChanged)
      out[out.length - 1] = { text: last.text + part.text, isChanged: part.isChanged };
    else out.push(part);
  }
  return out;
}

/** Long stretches of equal lines become gaps. */
function collapse(rows: readonly Row[], context: number): (Row | Gap)[] {
  const isNear = new Uint8Array(rows.length);
  rows.forEach((row, at) => {
    if (row.change !== "same") isNear.fill(1, Math.max(0, at - context), Math.min(rows.length, at + context + 1));
  });
  const out: (Row | Gap)[] = [];
  let hidden = 0;
  rows.forEach((row, at) => {
    if (isNear[at]) {
      if (hidden > 0) out.push({ hidden });
      hidden = 0;
      out.push(row);
    } else hidden += 1;
  });
  if (hidden > 0) out.push({ hidden });
  return out;
}
