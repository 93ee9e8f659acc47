import { SCALARS, cardKey } from "../scalar_card/card_id";
import { lineKey, runOfKey, tagOfKey } from "../scalar_card/combine";

/** Keys of cards, by kind and tag, and of lines in a chart of several tags. */
export const chartKeys = { SCALARS, card: cardKey, line: lineKey, runOf: runOfKey, tagOf: tagOfKey } as const;
