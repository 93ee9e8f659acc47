/** What was thrown, as a sentence or as an Error: JavaScript can throw anything. */

export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));
