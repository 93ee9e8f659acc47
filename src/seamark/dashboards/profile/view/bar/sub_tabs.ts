/** The names of the sub-tabs on the screen. */

import type { SubTab } from "../wire";

export const SUB_TAB_TITLES: Readonly<Record<SubTab, string>> = {
  overview: "Overview",
  trace: "Trace",
  operators: "Operators",
  kernels: "Kernels",
  memory: "Memory",
  input: "Input",
  modules: "Modules",
  distributed: "Distributed",
  compile: "Compile",
  roofline: "Roofline",
  compare: "Compare",
};
