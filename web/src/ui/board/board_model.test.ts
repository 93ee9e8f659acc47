import { SvelteMap } from "svelte/reactivity";
import { expect, test } from "vitest";
import type { TagEntry } from "../../data/api";
import { BoardModel, cardPerRun, type BoardSpec, type RunCard } from "./board_model.svelte";
import { fakeUrl } from "./fake_url";

const TAGS: readonly TagEntry[] = [
  { tag: "eval/speech", runs: ["a", "b"] },
  { tag: "debug/noise", runs: ["c"] },
];

interface Given extends Pick<BoardSpec<RunCard>, "sectionsOf"> {
  shown?: string[];
  tagFilter?: string;
  params?: Record<string, string>;
  tags?: TagEntry[];
}

function boardOf(given: Given) {
  const url = fakeUrl(given.params);
  const reactive = new SvelteMap([["columns", 0]]);
  const settings = {
    tagFilter: given.tagFilter ?? "",
    get columns() {
      return reactive.get("columns")!;
    },
    set columns(columns: number) {
      reactive.set("columns", columns);
    },
  };
  const tags = given.tags ?? TAGS;
  const spec: BoardSpec<RunCard> = {
    label: "Clips",
    noun: "clips",
    empty: { title: "", sentence: "", code: "" },
    tags: () => tags,
    cardsOf: cardPerRun,
    ...(given.sectionsOf ? { sectionsOf: given.sectionsOf } : {}),
    columns: { choices: [1, 2, 3], fit: (width) => (width > 800 ? 2 : 1), max: (width) => (width > 400 ? 3 : 1) },
    heightOf: () => 100,
    commands: () => [{ title: "Play", keys: "p", run: () => undefined }],
  };
  const board = new BoardModel(
    {
      settings,
      catalogue: { isComplete: true, tags: () => tags },
      runs: {
        shown: given.shown ?? ["a", "b"],
        focused: null,
        isShown: () => true,
        styleOf: (run) => ({ label: run, colour: "", token: "" }),
        show: () => undefined,
      },
      url,
      command: () => () => undefined,
    },
    spec,
  );
  return { board, params: url.params, settings };
}

test("shown runs have one card per tag, in sections by the tag's prefix", () => {
  const { board } = boardOf({ shown: ["b", "c", "a"] });
  expect(board.sections.map(({ title, entries }) => [title, entries.map(({ tag, run }) => `${tag} ${run}`)])).toEqual([
    ["eval/", ["eval/speech b", "eval/speech a"]],
    ["debug/", ["debug/noise c"]],
  ]);
});

test("the filter leaves matching tags, and sections without cards are left out", () => {
  expect(boardOf({ tagFilter: "noise" }).board.matching.map(({ tag }) => tag)).toEqual(["debug/noise"]);
  const { board } = boardOf({ tagFilter: "noise", shown: ["a"] });
  expect([board.sections, board.hiddenRuns, board.isEmpty]).toEqual([[], ["c"], false]);
  expect(boardOf({ tags: [] }).board.isEmpty).toBe(true);
});

test("closed sections are in the address", () => {
  const { board, params } = boardOf({});
  board.toggleSection("eval/");
  expect(params.get("closed")).toBe('["eval/"]');
  expect(board.sections.map(({ open }) => open)).toEqual([false]);
  board.toggleSection("eval/");
  expect(params.has("closed")).toBe(false);
});

test("a link leads to a card of a hidden run, and one to nothing leads to all cards", () => {
  expect(boardOf({ params: { card: "debug/noise\nc" } }).board.fullCard).toMatchObject({ run: "c" });
  expect(boardOf({ params: { card: "eval/speech\nc" } }).board.fullCard).toBeUndefined();
});

test("the key for the full screen opens the card at hand, and closes it", () => {
  const { board, params } = boardOf({});
  const press = (key: string): void =>
    board
      .commands(() => undefined, true)
      .find(({ keys }) => keys === key)!
      .run();
  press("e");
  expect(params.has("card")).toBe(false);
  board.frameOf("eval/speech\na").onenter();
  press("e");
  expect(params.get("card")).toBe("eval/speech\na");
  expect(board.frameOf("eval/speech\na").full).toBe(true);
  press("e");
  expect(params.has("card")).toBe(false);
});

test("a board can have other sections, and some that start closed", () => {
  const { board } = boardOf({
    params: { closed: '["first"]' },
    sectionsOf: (entries) => [
      { prefix: "first", title: "First", icon: "pin", entries: [TAGS[0]!], alone: true },
      { prefix: "rest", title: "Rest", entries, startsClosed: true },
    ],
  });
  expect(board.sections.map(({ key, icon, alone, open }) => [key, icon, alone, open])).toEqual([
    ["first", "pin", true, false],
    ["rest", undefined, undefined, false],
  ]);
  board.toggleSection("rest");
  expect(board.sections.map(({ open }) => open)).toEqual([false, true]);
});

test("columns are those a person prefers, at most as many as the board offers, or as many as fit", () => {
  const { board, settings } = boardOf({});
  board.width = 900;
  expect(board.columns).toBe(2);
  settings.columns = 8;
  expect(board.columns).toBe(3);
  board.width = 300;
  expect(board.columns).toBe(1);
  const keys = (hasColumns: boolean) => board.commands(() => undefined, hasColumns).map((command) => command.keys);
  expect(keys(true)).toEqual(["t", "e", "1", "2", "3", "p"]);
  expect(keys(false)).toEqual(["t", "e", "p"]);
});
