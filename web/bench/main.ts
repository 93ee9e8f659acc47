/** With ?gallery=dark or ?gallery=light every kind of chart at once; without, the functions to measure with. */

import "../src/base/tokens.css";
import "../src/ui/base.css";
import { mount } from "svelte";
import { RunColours } from "../src/base/colours";
import { toPng } from "../src/chart/png";
import { toSvg } from "../src/chart/svg";
import { curves } from "./data";
import Gallery from "./Gallery.svelte";
import { drawingTimes, nearestTime, panning } from "./measure";

const theme = new URLSearchParams(location.search).get("gallery");
if (theme) {
  document.documentElement.dataset.theme = theme;
  document.body.style.overflow = "auto";
  mount(Gallery, { target: document.getElementById("app")!, props: { theme } });
}

/** A downloaded picture, as text and as the address of a bitmap. */
async function exported(series: number, theme: string): Promise<{ svg: string; png: string }> {
  document.documentElement.dataset.theme = theme;
  const colours = new RunColours();
  const size = { width: 640, height: 360 };
  const set = curves({ series, rows: 400, smoothed: true });
  const spec = { label: "", set: { ...set, marks: Uint32Array.of(200, 220) }, theme, styleOf: (key: string) => ({ ...colours.of(key), live: true }), clipOutliers: true };
  const options = { ...size, title: 'train/loss <"&>' };
  return { svg: toSvg(spec, options), png: URL.createObjectURL(await toPng(spec, options)) };
}

Object.assign(window, { chartBench: { drawingTimes, nearestTime, panning, exported } });
