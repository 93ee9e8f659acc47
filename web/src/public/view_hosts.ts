/** The page's context behind each context that a view of another package got. */

import type { DashboardContext } from "./plugin";
import type { ViewContext } from "./view_types";

export const viewHosts = new WeakMap<ViewContext, DashboardContext>();
