/** The page's side of a published site: sends every request to the worker that reads the site's files. */

import { messageOf } from "../../base/errors";
import { mediaAddress, saveAddress } from "../media";
import { RequestError, setTransport, type Transport } from "../request";
import { readManifest, type Manifest } from "./files/manifest";

/** A request of the page, as it is sent to the worker. */
export interface SiteQuestion {
  readonly method: string;
  /** Without the parameters: "api/series". */
  readonly path: string;
  readonly query: string;
  readonly body: unknown;
}

export type SiteCall = { readonly id: number } & (
  | { readonly type: "open"; readonly manifest: Manifest; readonly base: string }
  | { readonly type: "unlock"; readonly passphrase: string }
  | ({ readonly type: "answer" } & SiteQuestion)
);

export type SiteReply = { readonly id: number } & (
  | { readonly output: unknown }
  | {
      readonly error: {
        readonly name: string;
        readonly message: string;
        readonly status: number;
        readonly code: string;
      };
    }
);

interface SiteAnswer {
  readonly status: number;
  readonly media: string;
  readonly bytes: ArrayBuffer;
}

type CallInput = SiteCall extends infer Call ? (Call extends unknown ? Omit<Call, "id"> : never) : never;

interface Waiting {
  readonly resolve: (output: never) => void;
  readonly reject: (error: Error) => void;
}

export class SiteClient {
  isEncrypted = false;
  title = "";
  readonly #worker = new Worker(new URL("./site_worker.ts", import.meta.url), { type: "module" });
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;

  private constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<SiteReply>) => this.#finish(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(
        new RequestError(event.message || "this browser cannot start the worker of the site", 0, "unreachable"),
      );
    };
  }

  /** Reads what the manifest says, while the worker starts; the rest with `unlock`. */
  static async open(name: string): Promise<SiteClient> {
    const client = new SiteClient();
    const base = new URL(".", document.baseURI).href;
    const manifest = await readManifest(name, base);
    client.isEncrypted = manifest.encryption !== null;
    await client.#call({ type: "open", manifest, base });
    return client;
  }

  /** Reads the index. An encrypted site needs the passphrase. */
  async unlock(passphrase = ""): Promise<void> {
    this.title = (await this.#call<{ title: string }>({ type: "unlock", passphrase })).title;
  }

  /** From now on all requests of the page go to the site. */
  install(): void {
    setTransport(this.#transport);
    document.addEventListener("click", saveLinked);
  }

  readonly #transport: Transport = async (address, init) => {
    const { signal } = init;
    signal?.throwIfAborted();
    const body = typeof init.body === "string" ? (JSON.parse(init.body) as unknown) : undefined;
    const call = this.#call<SiteAnswer>({ type: "answer", method: init.method ?? "GET", ...parse(address), body });
    const { status, media, bytes } = await (signal ? Promise.race([call, aborted(signal)]) : call);
    return new Response(bytes, { status, headers: { "content-type": media } });
  };

  #call<Output>(call: CallInput): Promise<Output> {
    const id = (this.#calls += 1);
    return new Promise<Output>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ ...call, id } satisfies SiteCall);
    });
  }

  #finish(reply: SiteReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ("output" in reply) return waiting?.resolve(reply.output as never);
    const { message, status, code } = reply.error;
    waiting?.reject(new RequestError(message, status, code));
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    // The reason is that of whoever aborted, as with fetch.
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** Links to what a server would send: their bytes are in the files. */
function saveLinked(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const address = link?.getAttribute("href") ?? "";
  if (!link || !address.startsWith("api/")) return;
  event.preventDefault();
  if (link.target !== "_blank") return saveAddress(address, link.download || "download");
  mediaAddress(address).then(
    (blob) => open(blob, "_blank", "noopener"),
    (failure: unknown) => alert(messageOf(failure)),
  );
}

/** An address relative to the page, or one below it. */
function parse(address: string): { path: string; query: string } {
  const base = new URL(".", document.baseURI);
  const url = new URL(address, base);
  return { path: url.pathname.slice(base.pathname.length), query: url.search };
}
