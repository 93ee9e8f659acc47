/** StageModel: the laid-out scene of the visible graph, and which part of it is on screen. */

import { createContext } from "svelte";
import { painting, themeColours } from "$public/charts";
import { Resource } from "$public/core";
import { GraphColours } from "./canvas/colours";
import { GraphViewport } from "./canvas/graph_viewport.svelte";
import { layoutRequestOf, type Scene } from "./canvas/scene";
import type { GraphModel } from "./graph_model.svelte";
import { requestLayout } from "./layout/layouts";
import type { LayoutResult } from "./layout/types";
import { refText } from "./model";
import { paintBoxes, type BoxPaint } from "./overlay";
import type { VisibleGraph } from "./wire";

/** A view, and the text of the graph that it is of. */
interface LayoutSpec {
  readonly graph: VisibleGraph;
  readonly key: string;
}

interface LaidOut extends LayoutSpec {
  readonly layout: LayoutResult;
  readonly anchor: string | null;
}

export class StageModel {
  readonly viewport = new GraphViewport();
  readonly #layout: Resource<LayoutSpec, LaidOut>;
  #graphs = 0;
  readonly #keys = new WeakMap<VisibleGraph, string>();
  /** The selected box that was scrolled to. People may scroll away from it. */
  #revealed: string | null = null;

  constructor(readonly model: GraphModel) {
    this.#layout = new Resource((spec, signal) => this.#layOut(spec, signal), {
      keyOf: ({ graph }) => this.#keyOf(graph),
      abortAfterMs: 0,
    });
    $effect(() => {
      if (model.view && model.ref) this.#layout.load({ graph: model.view, key: refText(model.ref) });
    });
    $effect(() => {
      const [selected, laidOut] = [model.selectedBox, this.#laidOut];
      if (selected === this.#revealed || !laidOut) return;
      // After the canvas has taken the new layout. A box that is not there yet is shown when it comes.
      return painting.schedule(() => {
        this.#revealed = selected;
        if (selected !== null) this.viewport.reveal(selected);
      });
    });
  }

  readonly colours = $derived.by(() => {
    const { theme } = this.model.context;
    return new GraphColours((token) => themeColours.token(token, theme));
  });
  readonly isLayingOut = $derived.by(() => this.#layout.isLoading);
  readonly error = $derived.by(() => this.#layout.error);
  readonly #laidOut = $derived.by((): LaidOut | null => {
    const { value } = this.#layout;
    // Boxes of another graph would be wrong; those of an earlier view of the same one stay until the next is laid out.
    const { view, ref } = this.model;
    return view && ref && value?.key === refText(ref) ? value : null;
  });
  readonly paint = $derived.by((): BoxPaint | null => {
    const { graph } = this.#laidOut ?? {};
    // An overlay belongs to the boxes of the newest view.
    const overlay = graph === this.model.view ? this.model.overlay : null;
    const { theme } = this.model.context;
    return graph ? paintBoxes(graph, this.model.colour, overlay, (token) => tintOf(token, theme)) : null;
  });
  readonly scene = $derived.by((): Scene | null => {
    const [laidOut, paint, { selectedBox: selected, candidate, trace }] = [this.#laidOut, this.paint, this.model];
    if (!laidOut || !paint) return null;
    return {
      ...laidOut,
      fills: paint.fills,
      texts: paint.texts,
      differences: paint.differences,
      warnings: paint.warnings,
      legend: paint.legend,
      selected,
      candidate,
      trace: new Map(Object.entries(trace?.hops ?? {})),
    };
  });

  async #layOut({ graph, key }: LayoutSpec, signal: AbortSignal): Promise<LaidOut> {
    const { ref, unfolded, isolated, baseline } = this.model;
    const cacheKey = JSON.stringify([ref, unfolded, isolated, baseline]);
    const layout = await requestLayout(layoutRequestOf(graph, cacheKey), signal);
    return { graph, key, layout, anchor: this.model.anchor };
  }

  #keyOf(graph: VisibleGraph): string {
    let key = this.#keys.get(graph);
    if (key === undefined) this.#keys.set(graph, (key = String((this.#graphs += 1))));
    return key;
  }
}

const TINT = 0.3;

function tintOf(token: string, theme: string): string {
  const [surface, colour] = ["--surface", token].map((name) => themeColours.rgb(themeColours.token(name, theme)));
  return `#${themeColours.mix(surface!, colour!, TINT).toString(16).padStart(6, "0")}`;
}

export const [getStageModel, setStageModel] = createContext<StageModel>();
