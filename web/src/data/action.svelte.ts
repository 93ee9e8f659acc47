/** A change that the server is asked for: whether it is under way, and the sentence that says why it failed. */

import { messageOf } from "../base/errors";

export class Action {
  isBusy = $state(false);
  error = $state("");

  /** Returns whether it succeeded. A second call while the first is under way does nothing. */
  async run(work: () => Promise<unknown>): Promise<boolean> {
    if (this.isBusy) return false;
    this.isBusy = true;
    this.error = "";
    try {
      await work();
      return true;
    } catch (failure) {
      this.error = asSentence(messageOf(failure));
      return false;
    } finally {
      this.isBusy = false;
    }
  }
}

/** The server's sentences begin in lower case and have no full stop, as they may follow other words. */
export function asSentence(text: string): string {
  if (text === "") return "";
  const start = text[0]!.toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
