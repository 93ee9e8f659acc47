/** The tabs below Explore, in their order. */

import type { Component } from "svelte";
import type { WhatIfModel } from "../whatif_model.svelte";
import Attributions from "./attributions/Attributions.svelte";
import Dependence from "./dependence/Dependence.svelte";
import Features from "./features/Features.svelte";
import Performance from "./performance/Performance.svelte";
import Training from "./training/Training.svelte";

export interface LowerTab {
  /** In the address. */
  readonly name: string;
  readonly title: string;
  /** Fills the height below the tab bar. */
  readonly component: Component;
  isVisible(model: WhatIfModel): boolean;
}

const always = (): boolean => true;

export const LOWER_TABS: readonly LowerTab[] = [
  { name: "performance", title: "Performance and fairness", component: Performance, isVisible: always },
  { name: "dependence", title: "Partial dependence", component: Dependence, isVisible: always },
  { name: "attributions", title: "Attributions", component: Attributions, isVisible: always },
  { name: "features", title: "Features", component: Features, isVisible: always },
  {
    name: "training",
    title: "Along training",
    component: Training,
    isVisible: (model) => (model.info?.steps.length ?? 0) > 1,
  },
];
