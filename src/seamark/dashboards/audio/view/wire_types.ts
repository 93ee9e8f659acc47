// What the server sends and takes: written by tools/page_types.py from the server's structs.

/** @description Fields after `label` are known for WAV only. `problem` says why a clip cannot be played. */
export interface ClipFacts {
  readonly format: string;
  readonly size: number;
  readonly label: string;
  readonly sample_rate_hz: number | null;
  readonly channels: number | null;
  readonly bits: number | null;
  readonly encoding: string;
  readonly seconds: number | null;
  readonly problem: string;
  readonly warning: string;
}
export interface ClipsParameters {
  /** @description The run. */
  readonly run: string;
  /** @description The tag. */
  readonly tag: string;
  /** @description The payload, as /api/payloads numbers them. */
  readonly index: number;
}
export interface ClipsResponse {
  readonly clips: readonly ClipFacts[];
}
