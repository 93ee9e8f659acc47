/** Files made in the browser: points as they were logged, pictures as they are shown. */

import { fetchWindow, frameOf, rangeX, rangeY, scaleFor, token, type DashboardContext, type SeriesBlock, type TagEntry } from "$public";
import type { CardData } from "./card.svelte";
import { svgOf } from "./picture";
import { CSV_HEAD, csvRows, fileName, jsonText, POINT_COLUMNS } from "./table";

export type Picture = ReturnType<typeof svgOf>;

/** Every point of a tag in the shown runs. */
function allPoints({ runs, settings }: DashboardContext, { tag, runs: having }: TagEntry): Promise<SeriesBlock> {
  const shown = having.filter((run) => runs.isShown(run));
  return fetchWindow({ tag, runs: shown, axis: "step", range: null, width: 0, smoothing: 0, attempts: settings.attempts, columns: POINT_COLUMNS });
}

export async function saveCsv(
  context: DashboardContext, entries: readonly TagEntry[], title: string, onprogress: (done: number) => void = () => undefined,
): Promise<void> {
  const parts: BlobPart[] = [CSV_HEAD];
  for (const [index, entry] of entries.entries()) {
    parts.push(csvRows(await allPoints(context, entry)));
    onprogress(index + 1);
  }
  save(new Blob(parts, { type: "text/csv" }), fileName(title, "csv"));
}

export async function saveJson(context: DashboardContext, entries: readonly TagEntry[], title: string): Promise<void> {
  const blocks = await Promise.all(entries.map((entry) => allPoints(context, entry)));
  save(new Blob([jsonText(blocks)], { type: "application/json" }), fileName(title, "json"));
}

export function pictureOf(
  context: DashboardContext, data: CardData, { title, subtitle, width, height }: { title: string; subtitle: string; width: number; height: number },
): Picture {
  const set = data.set!;
  const scope = { set, shown: data.shown };
  const xScale = scaleFor(data.xScale, scope, "x");
  const yScale = scaleFor(data.yScale, scope, "y");
  const x = rangeX(scope, xScale, data.limits)!;
  const y = rangeY(scope, { x, scale: yScale, limits: data.limits, clipOutliers: context.settings.clipOutliers, curvesOnly: false });
  const read = (name: string): string => token(name, context.theme);
  return svgOf({
    title, subtitle, set, shown: data.shown, frame: frameOf({ width, height, unit: set.unit, x, y, xScale, yScale, labelWidth: 0 }),
    colourOf: (series) => read(data.styleOf(set.series[series]!.key).token), isDashed: (series) => data.styleOf(set.series[series]!.key).dashed,
    labelOf: (series) => set.series[series]!.name,
    look: {
      text: read("--text-3"), strong: read("--text"), grid: read("--grid"), baseline: read("--line-2"), surface: read("--surface"),
      font: read("--font"), rawAlpha: Number(read("--a-raw")), fillAlpha: Number(read(set.fill === "band" ? "--a-band" : "--a-env")),
    },
  });
}

export function saveSvg({ text }: Picture, title: string): void {
  save(new Blob([text], { type: "image/svg+xml" }), fileName(title, "svg"));
}

const PNG_SCALE = 2;

export async function savePng({ text, width, height }: Picture, title: string): Promise<void> {
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = width * PNG_SCALE;
    canvas.height = height * PNG_SCALE;
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!blob) throw new Error("the browser made no picture of it; save it as SVG");
    save(blob, fileName(title, "png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Long enough for the browser to begin the download. */
const KEEP_MS = 60_000;

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEEP_MS);
}
