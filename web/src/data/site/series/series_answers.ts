/** Windows of series, computed from what the site has stored. */

import { asError } from "../../../base/errors";
import type { RequestedSmoothing } from "../../../base/smoothing";
import { decodeColumns, type ColumnBlock } from "../../columns";
import { RequestError } from "../../request";
import { compacted } from "../compact_columns";
import { encodeBatch, encodeColumns } from "../encode_columns";
import { ByteCache } from "../files/byte_cache";
import type { SiteFiles } from "../files/site_files";
import { columnsResponse, type SiteRequest } from "../site_request";
import { readTags, runsWith, type TagList } from "../tag_list";
import { Turns } from "../turns";
import { decodeBuckets, decodeHead, isHead, type Buckets } from "./level_blocks";
import { LevelSeries } from "./level_series";
import { decodePoints, seriesKey, type SeriesPoints } from "./series_points";
import { windowOf, type Series } from "./series_window";
import type { WindowRequest } from "./window_request";

/** The body of /api/series. */
export interface SeriesBody extends Partial<Omit<WindowRequest, "columns" | "smoothing">> {
  readonly smoothing?: number;
  readonly smoothing_mode?: RequestedSmoothing["mode"];
  readonly visible?: number;
  readonly tag: string;
  readonly run?: readonly string[];
  readonly columns?: readonly string[];
  readonly encoding?: "exact" | "compact";
}

/** Columns with a value for each run, in place of one for each row. */
const PER_RUN: ReadonlySet<string> = new Set(["offsets", "points", "total", "stored", "began", "weight"]);

/** The first chart of many runs is not delayed by those that were requested with it, but the next one's files are on their way. */
const MAX_AT_ONCE = 2;
/** Of decoded series: those of one chart are requested again with every zoom. */
const MAX_CACHED_BYTES = 96 << 20;
/** A value as it is and as it is stored, and a time: steps are mostly those of all series. */
const BYTES_PER_POINT = 20;
/** Fewer are decompressed sooner one by one. */
const MIN_JOINED = 16;

export class SeriesAnswers {
  readonly #series = new ByteCache<string, Series>(MAX_CACHED_BYTES / 2, (series) =>
    series instanceof LevelSeries ? bytesOf(series.head.coarsest) : BYTES_PER_POINT * series.steps.length,
  );
  readonly #pieces = new ByteCache<string, SeriesPoints | Buckets>(MAX_CACHED_BYTES / 2, bytesOf);
  readonly #turns = new Turns(MAX_AT_ONCE);
  #tags: Promise<TagList> | undefined;

  constructor(private readonly files: SiteFiles) {}

  readonly one = ({ parameters, body }: SiteRequest): Promise<Response> => {
    const request = (body as SeriesBody | undefined) ?? fromParameters(parameters);
    return this.#turns.take(async () => columnsResponse(await this.#block(request)));
  };

  readonly batch = async ({ body }: SiteRequest): Promise<Response> => {
    const { requests } = body as { requests: readonly SeriesBody[] };
    return columnsResponse(encodeBatch(await Promise.all(requests.map((one) => this.#block(one).catch(asError)))));
  };

  async series(tag: string, run: string): Promise<Series> {
    return (await this.#all(tag, [run]))[0]!;
  }

  /** Many series that are not cached are read together. */
  #all(tag: string, runs: readonly string[]): Promise<Series[]> {
    const keys = runs.map((run) => seriesKey(tag, run));
    const missing = keys.filter((key) => !this.#series.has(key));
    if (missing.length >= MIN_JOINED) {
      const blocks = this.files.readBlocks(missing);
      missing.forEach((key, at) => {
        void this.#series.get(key, async () => this.#decode(key, found((await blocks)[at])));
      });
    }
    return Promise.all(keys.map((key) => this.#series.get(key, async () => this.#decode(key, await this.#read(key)))));
  }

  #decode(key: string, block: ColumnBlock): Series {
    if (!isHead(block)) return decodePoints(block);
    return new LevelSeries(decodeHead(block), {
      points: (at) => this.#piece(`${key}\0${1}\0${at}`, decodePoints),
      buckets: (size, at) => this.#piece(`${key}\0${size}\0${at}`, decodeBuckets),
    });
  }

  /** Every point, whatever the length. */
  async points(tag: string, run: string): Promise<SeriesPoints> {
    const series = await this.series(tag, run);
    return series instanceof LevelSeries ? series.allPoints() : series;
  }

  #piece<Piece extends SeriesPoints | Buckets>(key: string, decode: (block: ColumnBlock) => Piece): Promise<Piece> {
    return this.#pieces.get(key, async () => decode(await this.#read(key))) as Promise<Piece>;
  }

  async #read(key: string): Promise<ColumnBlock> {
    return decodeColumns(found(await this.files.readOnce(key)).buffer);
  }

  async #block({ tag, run, ...request }: SeriesBody): Promise<Uint8Array<ArrayBuffer>> {
    const asked = run ?? runsWith(await (this.#tags ??= readTags(this.files)), "scalars", tag);
    const runs = [...new Set(asked)].filter((name) => this.files.has(seriesKey(tag, name)));
    const series = await this.#all(tag, runs);
    const axis = request.axis ?? "step";
    const columns = await windowOf(series, {
      axis,
      start: request.start ?? null,
      stop: request.stop ?? null,
      width: request.width ?? 0,
      smoothing: smoothingOf(request),
      attempts: request.attempts ?? "latest",
      edges: request.edges ?? false,
      columns: request.columns ?? null,
    });
    const { columns: sent, shared } =
      request.encoding === "compact" ? compacted(columns, PER_RUN) : { columns, shared: undefined };
    return encodeColumns({ tag, axis, runs }, sent, shared);
  }
}

function found<Block>(block: Block | null | undefined): Block {
  if (!block) throw new RequestError("a part of this series is missing: publish the site again", 422, "undecodable");
  return block;
}

/** Of the columns of series or buckets. */
function bytesOf(columns: object): number {
  return Object.values(columns)
    .flat()
    .reduce<number>((sum, column) => sum + (ArrayBuffer.isView(column) ? column.byteLength : 0), 0);
}

/** The smoothing of a request, in which it is three fields. */
export const smoothingOf = ({
  smoothing: weight = 0,
  smoothing_mode: mode = "fixed",
  visible,
}: Partial<SeriesBody>): RequestedSmoothing => (visible === undefined ? { weight, mode } : { weight, mode, visible });

function fromParameters(parameters: URLSearchParams): SeriesBody {
  const number = (name: string): number | null => (parameters.has(name) ? Number(parameters.get(name)) : null);
  return {
    tag: parameters.get("tag") ?? "",
    ...(parameters.has("run") ? { run: parameters.getAll("run") } : {}),
    ...(parameters.has("columns") ? { columns: parameters.getAll("columns").flatMap((part) => part.split(",")) } : {}),
    axis: (parameters.get("axis") ?? "step") as WindowRequest["axis"],
    start: number("start"),
    stop: number("stop"),
    width: number("width") ?? 0,
    smoothing: number("smoothing") ?? 0,
    smoothing_mode: (parameters.get("smoothing_mode") ?? "fixed") as RequestedSmoothing["mode"],
    ...(parameters.has("visible") ? { visible: Number(parameters.get("visible")) } : {}),
    attempts: (parameters.get("attempts") ?? "latest") as WindowRequest["attempts"],
    edges: parameters.get("edges") === "true",
  };
}
