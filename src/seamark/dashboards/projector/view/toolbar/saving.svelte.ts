/** Saving: the last file that was asked for, and what there is to say about it. Made while a component is. */

import { Copying, type MenuGroups } from "$public/boards";
import { messageOf } from "$public/core";
import type { ProjectorModel } from "../projector_model.svelte";
import { ROW_FORMATS, savePicture, saveRows } from "./export";

export class Saving {
  #error = $state("");
  #isBusy = $state(false);
  readonly #copying = new Copying("This browser lets nobody copy here: copy the address of the page");

  constructor(private readonly model: ProjectorModel) {}

  readonly note = $derived.by(() => (this.#isBusy ? "Saving…" : this.#error || this.#copying.told));
  readonly isError = $derived.by(() => this.#error !== "");

  /** Files of these rows; null: all. */
  rowGroup(rows: Uint32Array | null): MenuGroups[number] {
    const subject = rows ? "These rows" : "All rows";
    return ROW_FORMATS.map(({ format, title, hint }) => ({
      title: `${subject} as ${title}`,
      hint,
      run: () => void this.#run(saveRows(this.model.pane, format, rows)),
    }));
  }

  pictureGroup(): MenuGroups[number] {
    if (!this.model.pane.exportPicture) return [];
    return [
      { title: "Picture (PNG)", run: () => void this.#run(savePicture(this.model.pane, "png")) },
      { title: "Drawing (SVG)", run: () => void this.#run(savePicture(this.model.pane, "svg")) },
    ];
  }

  linkGroup(): MenuGroups[number] {
    return [{ title: "Copy the link", run: () => void this.#copying.copy(location.href) }];
  }

  async #run(work: Promise<void>): Promise<void> {
    this.#isBusy = true;
    this.#error = "";
    try {
      await work;
    } catch (failure) {
      this.#error = messageOf(failure);
    }
    this.#isBusy = false;
  }
}
