/** The payloads of one series as a card watches them: listed when it is first seen, and again when there are new ones. */

import { messageOf } from "../base/errors";
import { LatestOnly } from "./latest_only";
import { fetchPayloads, type PayloadList } from "./payloads";

interface Wish {
  readonly run: string;
  readonly tag: string;
  readonly kind: string;
  readonly attempts: "latest" | "all";
}

export class PayloadSource {
  /** Null until the first answer; an older one stays while a newer is on its way. */
  list = $state.raw<PayloadList | null>(null);
  error = $state("");
  #asked = "";
  readonly #reading = new LatestOnly<Wish>((request) => this.#read(request));

  /** Run inside an effect; `revision` grows with the series. */
  ask(request: Wish, revision: number): void {
    const key = JSON.stringify([request.run, request.tag, request.kind, request.attempts, revision]);
    if (key === this.#asked) return;
    this.#asked = key;
    this.#reading.run(request);
  }

  retry(): void {
    this.#asked = "";
    this.error = "";
  }

  close(): void {
    this.#reading.cancel();
  }

  async #read({ run, tag, kind, attempts }: Wish): Promise<void> {
    try {
      this.list = await fetchPayloads(run, tag, kind, attempts);
      this.error = "";
    } catch (failure) {
      this.error = messageOf(failure);
    }
  }
}
