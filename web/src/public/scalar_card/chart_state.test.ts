import { expect, test } from "vitest";
import { CardState } from "../../ui/board/card_state.svelte";
import { fakeUrl } from "../../ui/board/fake_url";
import type { SharedSettings } from "../plugin";
import { ScalarChartState } from "./chart_state.svelte";

function stateWith(params: Readonly<Record<string, string>> = {}) {
  const url = fakeUrl(params);
  const settings = { axis: "step", yScale: "linear" } as SharedSettings;
  return { charts: new ScalarChartState({ url, settings }, new CardState(url)), params: url.params, settings };
}

test("another axis removes every limit along x, and nothing else", () => {
  const { charts, params, settings } = stateWith({
    cards: '{"a":{"x":[0,1],"ys":"log"},"b":{"x":[0,1]}}',
    zoom: "[0,1]",
    select: "[3,3]",
  });
  expect([charts.zoom, charts.selection]).toEqual([
    { from: 0, to: 1 },
    { from: 3, to: 3 },
  ]);
  charts.setAxis("wall");
  expect(settings.axis).toBe("wall");
  expect([...params]).toEqual([["cards", '{"a":{"ys":"log"}}']]);
});

test("a log axis is switched from what the card shows", () => {
  const { charts, settings } = stateWith();
  charts.toggleLogY("a");
  expect(charts.viewOf("a").yScale).toBe("log");
  settings.yScale = "log";
  charts.toggleLogY("b");
  expect(charts.viewOf("b").yScale).toBe("linear");
});

test("an address that was tampered with has no ranges", () => {
  const { charts } = stateWith({ zoom: "[1", select: "[2,1]" });
  expect([charts.zoom, charts.selection]).toEqual([null, null]);
});
