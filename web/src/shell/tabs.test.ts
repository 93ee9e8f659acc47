import { expect, test } from "vitest";
import { arrangeTabs, currentTab, hasData, tensorboardTitle } from "./tabs";

const tab = (name: string, kinds: string[] = [name], error?: string) => ({
  name,
  title: name,
  order: 0,
  kinds,
  module: null,
  ...(error ? { error } : {}),
});
const all = [tab("timeseries", ["scalars", "images"]), tab("scalars"), tab("images"), tab("text"), tab("third", [])];
const present = (kinds: string[], filled: string[] = []) => ({ kinds, filled: new Set(filled) });
const arranged = (room: number, current: string, kinds = ["scalars", "images"]) => {
  const { inBar, inMenu } = arrangeTabs(all, {
    present: present(kinds),
    current,
    widthOf: () => 50,
    room,
    moreWidth: 40,
  });
  return [inBar.map((info) => info.name), inMenu.map((info) => info.name)];
};

test("tabs with data stand in the bar, the others are under More", () => {
  expect(arranged(1000, "scalars")).toEqual([["timeseries", "scalars", "images", "third"], ["text"]]);
});

test("what does not fit goes under More, and the open tab stays", () => {
  expect(arranged(150, "scalars")).toEqual([
    ["timeseries", "scalars"],
    ["images", "text", "third"],
  ]);
  expect(arranged(150, "images")).toEqual([
    ["timeseries", "images"],
    ["scalars", "text", "third"],
  ]);
  expect(arranged(0, "third")).toEqual([["third"], ["timeseries", "scalars", "images", "text"]]);
});

test("the address chooses the tab, even one without data; else the first that has some", () => {
  expect(currentTab(all, "text", present(["scalars"]))?.name).toBe("text");
  expect(currentTab(all, "", present(["images"]))?.name).toBe("timeseries");
  expect(currentTab([tab("broken", [], "no"), tab("scalars")], "", present(["scalars"]))?.name).toBe("scalars");
  expect(currentTab([], "", present([]))).toBeNull();
});

test("a name that is not there opens no other tab, and TensorBoard's are known by their titles", () => {
  for (const name of ["npmi", "nonsense", "__proto__"]) expect(currentTab(all, name, present(["scalars"]))).toBeNull();
  expect(["npmi", "debugger-v2", "nonsense", "constructor"].map(tensorboardTitle)).toEqual([
    "NPMI",
    "Debugger V2",
    null,
    null,
  ]);
});

test("a dashboard that says itself whether it has data is believed, whatever kinds there are", () => {
  const video = { ...tab("video", ["images"]), has_data: "api/dashboards/video/has_data" };
  expect(hasData(video, present(["images"]))).toBe(false);
  expect(hasData(video, present(["images"], ["video"]))).toBe(true);
});
