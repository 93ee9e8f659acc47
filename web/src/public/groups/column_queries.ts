import { asQueryError, columnTerm, completeColumn } from "../../ui/query/column_query";
import { SettledQuery } from "../../ui/query/settled_query.svelte";

/** A `QueryBox` over the columns of a dashboard's own table: completes their names, underlines an error where it is, writes a name as a query takes it, and waits until the query is worth a request. */
export const columnQuery = { asQueryError, columnTerm, completeColumn, SettledQuery } as const;
