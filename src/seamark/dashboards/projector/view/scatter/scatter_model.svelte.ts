/** ScatterModel: what one picture shows and from where: camera, point styles, the drawn area, the point under the pointer. */

import { themeColours, type Size } from "$public/charts";
import type { PaneModel } from "../pane_model.svelte";
import { fitted, planeOf, type Camera, type Plane, type Positions } from "./camera";
import { defaultRadiusPx, emphasisOf, paletteOf, radiiOf, stylesOf, type PointStyles } from "./colours";

export class ScatterModel {
  size = $state.raw<Size>({ width: 0, height: 0 });
  #camera = $state.raw<Camera | null>(null);

  constructor(readonly pane: PaneModel) {}

  readonly positions = $derived.by((): Positions | null => this.pane.projection);
  readonly camera = $derived.by((): Camera | null => {
    if (this.#camera) return this.#camera;
    const { positions, size } = this;
    return positions && size.width > 0 ? fitted(positions, this.pane.model.visible, size) : null;
  });
  readonly plane = $derived.by((): Plane | null => this.camera && planeOf(this.camera, this.size));

  setCamera(camera: Camera): void {
    this.#camera = camera;
  }

  fit(): void {
    this.#camera = null;
  }

  // How rows are drawn

  readonly #total = $derived.by(() => this.positions?.x.length ?? 0);
  readonly #rowStyles = $derived.by(() => stylesOf(this.pane.colourColumn, this.#total));
  readonly #radii = $derived.by(() =>
    radiiOf(this.pane.sizeColumn, this.#total, defaultRadiusPx(this.pane.projection?.placed ?? 0)),
  );
  readonly #emphasis = $derived.by(() => emphasisOf(this.#total, this.pane.model.visible, this.pane.model.selected));
  readonly #palette = $derived.by(() => {
    const { theme } = this.pane.model.context;
    return paletteOf(this.pane.colourColumn, {
      rgb: (token) => themeColours.rgb(themeColours.token(token, theme)),
      ramp: (count) => themeColours.ramp(themeColours.rampStops(theme), count),
    });
  });
  readonly styles = $derived.by((): PointStyles => ({
    palette: this.#palette,
    styles: this.#rowStyles,
    radii: this.#radii,
    emphasis: this.#emphasis,
  }));
  readonly background = $derived.by(() =>
    themeColours.rgb(themeColours.token("--surface", this.pane.model.context.theme)),
  );
}
