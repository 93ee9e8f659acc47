/** The list of payloads of one series, as a card shows it. */

import { fetchPayloads, type PayloadList, type PayloadRequest } from "./payloads";
import { Resource } from "./resource.svelte";

export class PayloadSource extends Resource<PayloadRequest, PayloadList> {
  constructor() {
    super(fetchPayloads);
  }
}
