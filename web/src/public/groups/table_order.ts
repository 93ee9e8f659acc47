import { moved, readSort, writeSort } from "../../ui/grid/grid";

/** The order of rows and columns: parsed from the address, written to it, and a list with one entry moved. */
export const tableOrder = { read: readSort, write: writeSort, moved } as const;
