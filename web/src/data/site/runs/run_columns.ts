/** The columns of the table of runs, as publish/gather/table.py stores them. */

import type { Cell } from "../../table";
import type { SiteFiles } from "../files/site_files";

export interface StoredColumn {
  readonly type: string;
  readonly values: readonly Cell[];
}

/** A column that is not published, such as the host, is blank. */
export async function columnOf(files: SiteFiles, id: string, rows: number): Promise<StoredColumn> {
  const base = id.startsWith("metric:") ? id.slice(0, id.lastIndexOf(":")) : id;
  const stored = await files.json<Record<string, StoredColumn>>(`column\0${base}`);
  return stored?.[id] ?? { type: "text", values: new Array<null>(rows).fill(null) };
}
