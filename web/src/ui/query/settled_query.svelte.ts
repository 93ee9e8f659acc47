/** SettledQuery: a query that is typed, once it is worth a request. */

import { isUnfinished } from "../../base/query_text";

const TYPING_MS = 350;

export class SettledQuery {
  value = $state("");
  #hasSettled = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Takes the query at once when it is complete, else when the person who types pauses. For an effect. */
  settle(query: string, isComplete = !isUnfinished(query)): void {
    clearTimeout(this.#timer);
    if (isComplete || !this.#hasSettled) this.value = query;
    else this.#timer = setTimeout(() => (this.value = query), TYPING_MS);
    this.#hasSettled = true;
  }
}
