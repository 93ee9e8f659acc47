/** The list of payloads of one series, as a card shows it. */

import { fetchPayloads, newestOf, type PayloadList, type PayloadRequest } from "./payloads";
import { Resource } from "./resource.svelte";

export class PayloadSource extends Resource<PayloadRequest, PayloadList> {
  constructor() {
    super(fetchPayloads);
  }

  get steps(): readonly number[] {
    return this.value?.steps ?? [];
  }

  /** So many at the end are of an attempt that a restart replaced. */
  get replaced(): number {
    return this.value?.replaced ?? 0;
  }

  /** The index of the newest one that counts; −1 without any. */
  get newest(): number {
    return newestOf(this);
  }
}
