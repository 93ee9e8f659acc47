// What the server sends and takes: written by tools/page_types.py from the server's structs.

export interface FileEntry {
  readonly run: string;
  readonly path: string;
  readonly bytes: number;
}
export interface FileParameters {
  /** @description The run. */
  readonly run: string;
  /** @description The file, relative to the run's folder. */
  readonly path: string;
}
export interface FilesResponse {
  readonly files: readonly FileEntry[];
  readonly more: boolean;
}
export interface LoggedMesh {
  readonly run: string;
  readonly name: string;
  readonly description: string;
  readonly samples: number;
  readonly config: string;
  readonly parts: { readonly [key: string]: PartSteps };
}
export interface MeshesResponse {
  readonly meshes: readonly LoggedMesh[];
}
export interface PartParameters {
  /** @description The run. */
  readonly run: string;
  /** @description The tag. */
  readonly tag: string;
  /**
   * @description The payload, as /api/payloads numbers them.
   * @default 0
   */
  readonly index?: number;
  /**
   * @description The mesh of the step's batch.
   * @default 0
   */
  readonly sample?: number;
}
/** @description The payloads of one part: its vertices, faces or colours. */
export interface PartSteps {
  readonly tag: string;
  readonly index: readonly number[];
  readonly steps: readonly number[];
  readonly walls: readonly number[];
}
