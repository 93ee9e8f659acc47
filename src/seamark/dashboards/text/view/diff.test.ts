import { expect, test } from "vitest";
import { diffOf, opsOf, wordsOf, type Row } from "./diff";

const rows = (left: string, right: string) =>
  diffOf(left, right, 1).rows.map((row) =>
    "hidden" in row
      ? `…${row.hidden}`
      : `${{ same: " ", removed: "-", added: "+" }[row.change]}${row.parts.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join("")}`,
  );

test("a changed line shows which words changed", () => {
  expect(rows("a\nlr is 0.1\nb", "a\nlr is 0.2\nb")).toEqual([" a", "-lr is 0.[1]", "+lr is 0.[2]", " b"]);
});

test("added and removed lines keep their line numbers", () => {
  const { rows: got, added, removed } = diffOf("a\nb\nc", "b\nc\nd");
  expect([added, removed]).toEqual([1, 1]);
  expect((got as Row[]).map(({ change, left, right }) => [change, left, right])).toEqual([
    ["removed", 1, null],
    ["same", 2, 1],
    ["same", 3, 2],
    ["added", null, 3],
  ]);
});

test("long equal stretches are gaps", () => {
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`);
  expect(rows(lines.join("\n"), [...lines.slice(0, 10), "new", ...lines.slice(10)].join("\n"))).toEqual([
    "…9",
    " line 9",
    "+new",
    " line 10",
    "…9",
  ]);
  expect(rows("same", "same")).toEqual(["…1"]);
});

test("the ops rebuild both sides, for any two texts", () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
  for (let round = 0; round < 300; round += 1) {
    const [left, right] = [0, 1].map(() => Array.from({ length: random(12) }, () => "abc"[random(3)]!)) as [
      string[],
      string[],
    ];
    const ops = opsOf(left, right);
    expect(ops.filter(({ change }) => change !== "added").map(({ left: at }) => left[at])).toEqual(left);
    expect(ops.filter(({ change }) => change !== "removed").map(({ right: at }) => right[at])).toEqual(right);
    expect(ops.every(({ change, left: l, right: r }) => change !== "same" || left[l] === right[r])).toBe(true);
  }
});

test("texts with nothing in common are replaced as a whole, at once", () => {
  const left = Array.from({ length: 5000 }, (_, at) => `l${at}`).join("\n");
  const right = Array.from({ length: 4000 }, (_, at) => `r${at}`).join("\n");
  expect(diffOf(left, right)).toMatchObject({ removed: 5000, added: 4000 });
});

test("words of any script are words", () => {
  expect(wordsOf("größe α", "größe β")[1]).toEqual([
    { text: "größe ", isChanged: false },
    { text: "β", isChanged: true },
  ]);
});
