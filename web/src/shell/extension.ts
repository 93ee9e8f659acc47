/** What a server of a team adds to the page. The shell knows places for it, not what is in them. */

import type { Component } from "svelte";
import type { Annotations } from "../public/core";

/** What comments are about: a run, a metric of it, or a step of that. */
export interface CommentPlace {
  readonly run: string;
  readonly tag?: string | undefined;
  readonly step?: number | undefined;
}

export interface ShellExtension {
  /** In the top bar, before the tabs: which project this is. */
  readonly TopBarStart: Component;
  /** In the top bar, at the end: sharing, notifications, the profile. */
  readonly TopBarEnd: Component;
  /** What the bar opens above the page. */
  readonly Dialogs: Component;
  /** Where there are no runs. */
  readonly EmptyState: Component;
  /** On the page of a run, and in the details of a point. */
  readonly Comments: Component<{ place: CommentPlace }>;
  /** Deletes runs, which this server keeps for a while. */
  readonly RemoveDialog: Component<{ runs: readonly string[]; onclose: () => void; ondone: () => void }>;
  /** The page below `reports`; the list without an id. */
  readonly Reports: Component<{ id: string }>;
  /** In charts; null for those who may not see comments. */
  readonly annotations: Annotations | null;
  /** Reactive. Why nothing can be changed here, or "". */
  readonly readOnlyReason: string;
}
