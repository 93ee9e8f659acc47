/** What the models of the Trace page need of the profile that is shown. */

import type { DashboardContext } from "$public/core";
import type { ProfileRequests } from "../load";
import { isSameProfile } from "../profile_ref";
import type { ProfileInfo, ProfileRef } from "../wire";

export interface TraceHost {
  readonly context: DashboardContext;
  readonly requests: ProfileRequests;
  /** Reactive; null until a profile is chosen and read. */
  readonly ref: ProfileRef | null;
  readonly info: ProfileInfo | null;
}

interface Loaded<Value> {
  readonly request: { readonly ref: ProfileRef };
  readonly value: Value;
}

/** What was loaded, if it is of the profile that is shown: another one has other rows, slices and times. */
export function ofShownProfile<Value>(host: TraceHost, loaded: Loaded<Value> | null): Value | null {
  return loaded && host.ref && isSameProfile(loaded.request.ref, host.ref) ? loaded.value : null;
}
