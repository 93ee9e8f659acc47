import { payloadAddress } from "../../data/payloads";
import { payloadAttempts } from "../../data/series";

/** Images, texts and other payloads of a series: the address of one, and the attempts that are listed. */
export const payloads = { address: payloadAddress, attempts: payloadAttempts } as const;
