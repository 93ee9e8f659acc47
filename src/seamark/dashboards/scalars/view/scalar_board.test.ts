import type { DashboardContext, Pin, SharedSettings } from "$public/core";
import { SvelteMap } from "svelte/reactivity";
import { expect, test } from "vitest";
import { CardList, PINNED } from "./card_list.svelte";
import { ScalarBoard } from "./scalar_board.svelte";

const TAGS: Readonly<Record<string, readonly string[]>> = {
  images: ["train/loss", "eval/sample"],
  scalars: ["train/loss", "lr"],
  unknown: ["lr"],
};

function boardOf(params: Readonly<Record<string, string>> = {}, settings: Partial<SharedSettings> = {}) {
  const url = new SvelteMap<string, string>(Object.entries(params));
  const pins: readonly Pin[] = [];
  const context = {
    catalogue: {
      isComplete: true,
      kinds: Object.keys(TAGS),
      tags: (kind: string) => (TAGS[kind] ?? []).map((tag) => ({ tag, runs: ["a"] })),
    },
    runs: { shown: ["a"] },
    settings: { tagFilter: "", columns: 0, pins, ...settings },
    url: {
      get: (name: string) => url.get(name),
      set: (name: string, value: string | undefined) =>
        void (value === undefined ? url.delete(name) : url.set(name, value)),
    },
    cardOf: (kind: string) => (kind === "images" ? () => undefined : undefined),
  } as unknown as DashboardContext;
  const board = new ScalarBoard(context, new CardList(context, true));
  const sections = () => board.sections.map(({ key, entries }) => [key, ...entries.map(({ kind, tag }) => kind + tag)]);
  return { board, url, sections };
}

test("pinned cards come first, whatever the filter and the chosen kinds", () => {
  const pins = [{ plugin: "images", tag: "train/loss" }];
  expect(boardOf({ kinds: "scalars" }, { pins, tagFilter: "lr" }).sections()).toEqual([
    [PINNED, "imagestrain/loss"],
    ["", "scalarslr"],
  ]);
});

test("every kind that has cards is there, and kinds can be chosen", () => {
  expect(boardOf().sections()).toEqual([
    ["train/", "scalarstrain/loss", "imagestrain/loss"],
    ["", "scalarslr"],
    ["eval/", "imageseval/sample"],
  ]);
  expect(boardOf({ kinds: "images" }).board.matching).toHaveLength(2);
});

test("in the address, the card on the full screen is its tag, and its kind if that is not scalars", () => {
  const { board, url } = boardOf({ card: "train/loss" });
  expect(board.fullCard).toMatchObject({ kind: "scalars", tag: "train/loss" });
  board.open(boardOf({ card: "eval/sample", cardKind: "images" }).board.fullCard!.key);
  expect([...url]).toEqual([
    ["card", "eval/sample"],
    ["cardKind", "images"],
  ]);
  expect(board.isFull(board.fullCard!.key)).toBe(true);
  board.open(null);
  expect([url.size, board.fullCard]).toEqual([0, undefined]);
});

test("keys act on the card at hand", () => {
  const { board, url } = boardOf();
  const press = (key: string): void =>
    board
      .commands(() => undefined, true)
      .find(({ keys }) => keys === key)
      ?.run();
  press("l");
  expect(url.size).toBe(0);
  board.at = board.matching.find(({ tag }) => tag === "lr")!.key;
  press("l");
  expect(url.get("cards")).toBe('{"lr":{"ys":"log"}}');
  press("e");
  expect(url.get("card")).toBe("lr");
});
