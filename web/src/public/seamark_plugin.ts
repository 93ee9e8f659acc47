/**
 * seamark-plugin.js: what the view of a dashboard from another package can import. It needs no framework and no build.
 * Its types, with those of view_types.ts, are published as seamark-plugin.d.ts. docs/dashboards.md is the tutorial.
 */

import { decodeColumns } from "../data/columns";
import * as requests from "../data/request";
import { format as numberFormat } from "./groups/format";
import LateTable from "./LateTable.svelte";
import LineChart from "./LineChart.svelte";
import { mountInto } from "./mount_into.svelte";
import type { Chart, ChartSpec, ColumnBlock, RequestOptions, Table, TableSpec, ViewContext } from "./view_types";

export type * from "./view_types";

/** Grows when something in this interface is removed or changes its meaning. Additions do not change it. */
export const API_VERSION = 1;

/** Draws a chart into an element: zoom by dragging, double-click shows all, a tooltip, the colours of the runs. */
export function createChart(element: HTMLElement, context: ViewContext, spec: ChartSpec): Chart {
  return mountInto("createChart", LineChart, { element, context, spec });
}

/** Draws a table into an element: sorts, with the order in the address; any number of rows, the colours of the runs. */
export function createTable(element: HTMLElement, context: ViewContext, spec: TableSpec): Table {
  return mountInto("createTable", LateTable, { element, context, spec });
}

/** The JSON of a response. A rejected request throws an Error with the server's sentence. */
export function requestJson<T = unknown>(address: string, options?: RequestOptions): Promise<T> {
  return requests.requestJson<T>(address, options);
}

/** The bytes of a response, with the same errors. */
export function requestBytes(address: string, options?: RequestOptions): Promise<ArrayBuffer> {
  return requests.requestBytes(address, options);
}

/** The columns of a response such as that of /api/series (docs/http.md). */
export async function requestColumns(address: string, options?: RequestOptions): Promise<ColumnBlock> {
  return decodeColumns(await requests.requestBytes(address, options));
}

/** Numbers as the page writes them. */
export const format: {
  readonly value: (value: number) => string;
  readonly count: (count: number) => string;
  readonly bytes: (bytes: number) => string;
  readonly seconds: (seconds: number) => string;
} = numberFormat;
