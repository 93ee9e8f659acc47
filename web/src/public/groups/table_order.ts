import { moved } from "../../ui/grid/grid";
import { readSort, writeSort } from "../../ui/grid/sort";

/** The order of rows and columns: parsed from the address, written to it, and a list with one entry moved. */
export const tableOrder = { read: readSort, write: writeSort, moved } as const;
