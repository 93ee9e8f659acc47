import { asQueryError, columnTerm, completeColumn } from "../../ui/query/column_query";

/** A `QueryBox` over the columns of a dashboard's own table: completes their names, underlines an error where it is, and writes a name as a query takes it. */
export const columnQuery = { asQueryError, columnTerm, completeColumn } as const;
