/** The marks and the axes of the whole picture. */

import { themeColours, type Mark } from "$public/charts";
import type { PanelAxes } from "../draw/axes";
import { barMarks, histogramOf } from "./histogram";
import type { PictureModel } from "./picture_model.svelte";
import { facetMarks, hollowMarks, MAX_DOTS, type PointStyle } from "./points";

const PLAIN = "--accent";

export function panelAxes(picture: PictureModel): readonly PanelAxes[] {
  const { x, upward, across, explore } = picture;
  if (!x || !upward || !across) return [];
  return picture.panels.map((panel, at) => {
    const facet = picture.facets[at]!;
    const axes = picture.axesOf(panel)!;
    return {
      panel,
      title: explore.choice?.facet === "" ? "" : facet.name,
      note: explore.facetNote(facet),
      x: { ...x, axis: axes.x, shown: across },
      y: { ...upward, axis: axes.y },
    };
  });
}

function styleOf({ explore }: PictureModel): PointStyle | null {
  const { colours, judged, sizes } = explore;
  return colours && { pixels: colours.pixels, judged, sizes };
}

/** All rows; null until everything is there. */
export function sceneMarks(picture: PictureModel): readonly Mark[] | null {
  const { explore, panels, facets, points, pointsOfModelB, histogram } = picture;
  const style = styleOf(picture);
  if (!style || panels.length === 0) return null;
  if (histogram) return facets.flatMap((_, at) => bars(picture, at));
  if (!points) return null;
  const surface = themeColours.tokenPixel("--surface", explore.model.context.theme);
  return facets.flatMap(({ rows }, at) => [
    ...(pointsOfModelB && rows.length <= MAX_DOTS ? hollowMarks(pointsOfModelB, rows, style.pixels, surface) : []),
    ...facetMarks(points, rows, panels[at]!, style),
  ]);
}

function bars(picture: PictureModel, facet: number, histogram = picture.histogram!): readonly Mark[] {
  const { explore, panels, across } = picture;
  const groups = explore.colours?.groups ?? [];
  return barMarks(histogram, facet, panels[facet]!, {
    across: across!,
    range: picture.histogram!.range,
    tokens: groups.length > 0 ? groups.map(({ token }) => token) : [PLAIN],
    theme: explore.model.context.theme,
  });
}

/** The bars of the brush's rows, over the dimmed picture; null without a brush. Points are not drawn again. */
export function selectedMarks(picture: PictureModel): readonly Mark[] | null {
  const { explore, facets, panels, x } = picture;
  const rows = explore.selectedRows;
  if (!rows || panels.length === 0 || !x || !picture.histogram) return null;
  const name = explore.brush?.facet;
  const only = facets.map((facet) => ({ ...facet, rows: facet.name === name ? rows : new Uint32Array() }));
  const histogram = histogramOf(x, only, explore.colours);
  return facets.flatMap((_, at) => bars(picture, at, histogram));
}

const READY = "whatif:ready";

/** For measurements: the first points are drawn. */
export function markReady(marks: readonly Mark[]): void {
  if (marks.length > 0 && performance.getEntriesByName(READY).length === 0) performance.mark(READY);
}
