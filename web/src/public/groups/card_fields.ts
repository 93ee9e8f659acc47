import { numberOf, rangeField, rangeOf } from "../../ui/board/card_state.svelte";

/** Fields of a card's state in the address: numbers and ranges. */
export const cardFields = { number: numberOf, range: rangeOf, rangeText: rangeField } as const;
