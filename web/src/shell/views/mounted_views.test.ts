import { describe, expect, it } from "vitest";
import { measureView, openView, type MountedView } from "./mounted_views";

const MEGABYTE = 2 ** 20;
const openAll = (...names: string[]): readonly MountedView[] =>
  names.reduce<readonly MountedView[]>((views, name) => openView(views, name), []);
const namesOf = (views: readonly MountedView[]): string[] => views.map(({ name }) => name);

describe("mounted views", () => {
  it("has the active view last, and a view once", () => {
    expect(namesOf(openAll("scalars", "images", "scalars"))).toEqual(["images", "scalars"]);
  });

  it("drops the least recently active view beyond four hidden ones", () => {
    expect(namesOf(openAll("a", "b", "c", "d", "a", "e", "f"))).toEqual(["c", "d", "a", "e", "f"]);
  });

  it("drops hidden views beyond the memory budget, the oldest first", () => {
    let views = openAll("a", "b", "c", "d");
    for (const name of ["a", "b", "c"]) views = measureView(views, name, 100 * MEGABYTE);
    expect(namesOf(views)).toEqual(["b", "c", "d"]);
  });

  it("never drops the active view, whatever its size", () => {
    const views = measureView(openAll("a", "b"), "b", 1000 * MEGABYTE);
    expect(namesOf(views)).toEqual(["a", "b"]);
    expect(namesOf(openView(views, "a"))).toEqual(["a"]);
  });
});
