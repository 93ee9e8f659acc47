/** OverlayModel: where the thresholds, the brush, the selected row and the marks of the editor lie. */

import { format } from "$public/core";
import type { ExploreMark } from "../../state/marks";
import type { LinkShape, Overlay, Place, PointShape, ThresholdShape } from "../draw/overlay";
import { namesOf } from "../fields/dimension";
import { SCORE, TRUTH } from "../fields/fields";
import { isBox } from "./brush";
import { NARROW_PX, toPixel } from "./layout";
import type { PictureModel } from "./picture_model.svelte";

const UNKNOWN_COLOUR = "--text-2";

export class OverlayModel {
  constructor(private readonly picture: PictureModel) {}

  readonly shapes = $derived.by((): Overlay => {
    const { points, hovered, panels } = this.picture;
    const ofRow = (row: number | null): Place | null =>
      row === null || !points || Number.isNaN(points.x[row]!) ? null : { x: points.x[row]!, y: points.y[row]! };
    const { links, shapes } = this.#marks(ofRow);
    return {
      thresholds: this.#thresholds,
      links,
      points: shapes,
      brush: this.#brush,
      // Selected rows of a histogram are bars of their own.
      isVeiled: this.#brush.length >= 2 && points !== null,
      hovered: ofRow(hovered),
      panels,
    };
  });

  readonly #thresholds = $derived.by((): readonly ThresholdShape[] => {
    const { picture } = this;
    return picture.facets.flatMap((facet, at) => {
      const panel = picture.panels[at];
      const axes = panel && picture.axesOf(panel);
      if (!panel || !axes) return [];
      return picture
        .thresholdLines(facet)
        .map(({ along, value, label }) => ({
          panel,
          along,
          at: toPixel(along === "x" ? axes.x : axes.y, value),
          label,
        }));
    });
  });

  readonly #brush = $derived.by((): readonly Place[] => {
    const { picture } = this;
    const { brush } = picture.explore;
    const facet = picture.facets.findIndex(({ name }) => name === brush?.facet);
    const panel = picture.panels[facet];
    if (!brush || !panel) return [];
    const places = brush.x.flatMap((x, at) => picture.toPixels(facet, x, brush.y[at]!) ?? []);
    if (!picture.isHistogram || !isBox(brush)) return places;
    return places.map(({ x }, at) => ({ x, y: at === 0 ? panel.top : panel.bottom }));
  });

  #marks(ofRow: (row: number | null) => Place | null): { links: LinkShape[]; shapes: PointShape[] } {
    const { model } = this.picture.explore;
    const [links, shapes]: [LinkShape[], PointShape[]] = [[], []];
    const edited = model.marks.find(({ type, row }) => type === "edited" && row === model.row);
    const own = ofRow(model.row);
    const now = edited ? (this.#placeOf(edited) ?? own) : own;
    if (own && model.row !== null) {
      const isMoved = edited && now && Math.hypot(now.x - own.x, now.y - own.y) > 1;
      if (isMoved) links.push({ from: own, to: now, type: "arrow" });
      if (isMoved)
        shapes.push({ ...own, colour: this.#colourOf(model.row), ring: "hollow", label: this.#oldLabel(edited) });
      const label = edited ? this.#label(edited) : this.#rowLabel(model.row);
      shapes.push({ ...(now ?? own), colour: this.#colourOf(model.row), ring: "accent", label, isBold: true });
    }
    for (const mark of model.marks) {
      if (mark.type === "edited") continue;
      const place = this.#placeOf(mark) ?? ofRow(mark.row);
      if (!place) continue;
      if (mark.type === "counterfactual" && now) links.push({ from: now, to: place, type: "dashed" });
      shapes.push({ ...place, colour: this.#colourOf(mark.row), ring: "text", label: this.#label(mark) });
    }
    return { links, shapes };
  }

  /** Where a row with changed values lies; null if nothing on the axes changed, or if it is not shown. */
  #placeOf({ row, values }: ExploreMark): Place | null {
    const { picture } = this;
    const { explore } = picture;
    const facet = picture.facetOf(row);
    if (!values || facet < 0 || !explore.choice || !explore.x || !explore.y || picture.isHistogram) return null;
    const position = (id: string, own: number): number => {
      const name = id === TRUTH ? (explore.model.info?.target ?? "") : id;
      if (!(name in values)) return own;
      const value = values[name] ?? NaN;
      if (typeof value === "number") return value;
      const column = explore.column(id);
      return column ? namesOf(column).indexOf(String(value)) : NaN;
    };
    const x =
      explore.view === "strip" ? explore.x.positions[row]! : position(explore.choice.x, explore.x.positions[row]!);
    return picture.toPixels(facet, x, position(explore.choice.y, explore.y.positions[row]!));
  }

  #colourOf(row: number): string {
    const { colours } = this.picture.explore;
    const group = colours?.groups[colours.groupOf[row] ?? -1];
    return this.#css(group?.token ?? UNKNOWN_COLOUR);
  }

  /** Set by the component, which knows the theme. */
  #css: (token: string) => string = (token) => token;
  setColours(css: (token: string) => string): void {
    this.#css = css;
  }

  get #isNarrow(): boolean {
    return this.picture.size.width < NARROW_PX;
  }

  #label({ label = "", shortLabel }: ExploreMark): string {
    return this.#isNarrow ? (shortLabel ?? label) : label;
  }

  #oldLabel({ row }: ExploreMark): string {
    const score = this.#score(row);
    return score === "" ? "" : `was ${score}`;
  }

  #rowLabel(row: number): string {
    const score = this.#score(row);
    const words = this.#isNarrow ? "" : `row ${format.count(row)}`;
    return [words, score].filter((part) => part !== "").join(", ");
  }

  #score(row: number): string {
    const { explore } = this.picture;
    const values = explore.choice?.y === SCORE ? explore.column(SCORE)?.values : undefined;
    return values && Number.isFinite(values[row]!) ? values[row]!.toFixed(2) : "";
  }
}
