/** The runs shown on the whole page follow what is picked here: what comes in is checked, what leaves is unchecked, and nothing else is touched. */

import type { RunsView } from "$public/core";

export class Follower {
  #last: readonly string[] | null | undefined;

  /** `runs` are those inside; null when nothing is picked. */
  follow(runs: readonly string[] | null, view: Pick<RunsView, "check" | "limitTo" | "isShown">): void {
    const before = this.#last;
    this.#last = runs;
    // A page that was opened with a brush in its address has the checks there too, unless somebody wrote the brush by hand.
    if (before === undefined && (runs === null || runs.length === 0 || runs.some((run) => !view.isShown(run)))) return;
    if (runs === null) {
      if (before !== null) view.limitTo(null);
      return;
    }
    if (before === undefined || before === null) return view.limitTo(runs);
    const [old, now] = [new Set(before), new Set(runs)];
    const [gone, come] = [before.filter((run) => !now.has(run)), runs.filter((run) => !old.has(run))];
    if (gone.length === 0 && come.length === 0) return;
    // Few or many: the address is as long as what it names.
    if (gone.length + come.length > runs.length / 2) return view.limitTo(runs);
    if (gone.length > 0) view.check(gone, false);
    if (come.length > 0) view.check(come, true);
  }
}
