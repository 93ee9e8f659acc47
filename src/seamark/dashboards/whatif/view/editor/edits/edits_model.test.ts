import { SvelteMap } from "svelte/reactivity";
import { expect, test } from "vitest";
import { EditsModel } from "./edits_model.svelte";

const OWN = { age: 30, sex: "Female" };

function newModel(): { edits: EditsModel; params: Map<string, string> } {
  const params = new SvelteMap<string, string>();
  const url = {
    get: (name: string) => params.get(name),
    set: (name: string, value: string | undefined) =>
      void (value === undefined ? params.delete(name) : params.set(name, value)),
  };
  let row = 7;
  const edits = new EditsModel({ url, row: () => row, own: () => OWN, selectRow: (chosen) => void (row = chosen) });
  return { edits, params };
}

test("edits are undone and redone in order, and a new edit ends the redo", () => {
  const { edits } = newModel();
  edits.set("age", 40);
  edits.set("sex", "Male");
  expect(edits.changed).toEqual({ age: 40, sex: "Male" });
  edits.undo();
  expect([edits.valueOf("age"), edits.valueOf("sex"), edits.canRedo]).toEqual([40, "Female", true]);
  edits.undo();
  expect([edits.isChanged, edits.canUndo]).toEqual([false, false]);
  edits.undo();
  edits.redo();
  edits.redo();
  expect(edits.changed).toEqual({ age: 40, sex: "Male" });
  edits.goTo(1);
  edits.set("sex", "Other");
  expect([edits.canRedo, edits.valueOf("sex")]).toEqual([false, "Other"]);
});

test("a duplicate keeps its edits, and the original has none", () => {
  const { edits, params } = newModel();
  edits.set("age", 40);
  edits.duplicate();
  edits.set("age", 50);
  expect([edits.copy, edits.copies[0]?.row]).toEqual([0, 7]);
  edits.showOriginal();
  expect([edits.copy, edits.isChanged]).toEqual([null, false]);
  edits.showCopy(0);
  expect(edits.valueOf("age")).toBe(50);
  edits.deleteCopy();
  expect([edits.copies.length, edits.isChanged, params.get("copy")]).toEqual([0, false, undefined]);
  edits.showCopy(3);
  expect(edits.copy).toBeNull();
});
