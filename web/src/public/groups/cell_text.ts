import { formatNumber } from "../../base/format";
import { cellWords } from "../../ui/grid/cell";

/** Cells and numbers as text. */
export const cellText = { of: cellWords, number: formatNumber } as const;
