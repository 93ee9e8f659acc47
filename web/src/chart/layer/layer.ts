/**
 * The drawing layer of the page: `attach` a canvas, tell its card what to show, and it is drawn: a small picture in the page itself,
 * which is there at once, a large one in a worker, which leaves the page alive.
 */

import { CardState, type Card } from "./card";
import { canUseWorkers, workerExecutor } from "./executor";
import { pageExecutor, type Executor } from "./page_executor";
import type { Report } from "./protocol";
import { JobQueue } from "./queue";

export interface LayerOptions {
  /** 0 draws in the page itself. */
  readonly workers?: number;
}

export interface AttachOptions {
  readonly onpaint?: (report: Report) => void;
  /** The canvas can no longer be drawn on: attach a new one. */
  readonly onlost?: () => void;
}

export interface Layer {
  /** Starts the workers, which takes them a while, before there is anything large to draw. */
  warmUp(): void;
  attach(canvas: HTMLCanvasElement, options?: AttachOptions): Card;
  close(): void;
}

/** A worker that fails is replaced this often; after that the page draws everything. */
const MAX_RESTARTS = 1;

class AttachedCard extends CardState {
  constructor(
    readonly id: number,
    readonly options: AttachOptions,
  ) {
    super();
  }
}

/** A worker, or the page, and the cards that are drawn there. A canvas that was given to a worker never comes back. */
class PaintHost {
  readonly cards = new Map<number, AttachedCard>();
  readonly #queue: JobQueue<AttachedCard>;
  readonly executor: Executor;

  constructor(inWorker: boolean, onLost: (host: PaintHost) => void) {
    const onReport = (report: Report): void => this.#finished(report);
    this.executor = inWorker ? workerExecutor(onReport, () => onLost(this)) : pageExecutor(onReport);
    this.#queue = new JobQueue((card) => {
      const { change, transfer } = card.takeChange({ copies: inWorker });
      this.executor.paint(card.id, change, transfer);
    });
  }

  add(card: AttachedCard, canvas: HTMLCanvasElement): void {
    this.cards.set(card.id, card);
    this.executor.attach(card.id, canvas);
  }

  ask(card: AttachedCard): void {
    if (this.cards.has(card.id)) this.#queue.ask(card);
  }

  remove(card: AttachedCard): void {
    if (!this.cards.delete(card.id)) return;
    this.#queue.drop(card);
    this.executor.dispose(card.id);
  }

  #finished(report: Report): void {
    const card = this.cards.get(report.card);
    if (!card) return;
    if (report.error) console.error(`A chart could not be drawn: ${report.error}`);
    card.options.onpaint?.(report);
    this.#queue.done(card);
  }
}

export function createLayer({ workers = workersHere() }: LayerOptions = {}): Layer {
  const hosts: PaintHost[] = []; // of workers
  let page: PaintHost | undefined;
  const cardOf = new WeakMap<Element, AttachedCard>();
  const watcher =
    typeof IntersectionObserver === "undefined"
      ? null
      : new IntersectionObserver((entries) => {
          for (const { target, isIntersecting } of entries) {
            const card = cardOf.get(target);
            if (card) card.visible = isIntersecting;
          }
        });
  let inWorkers = workers > 0;
  let restartsLeft = MAX_RESTARTS;
  let nextId = 1;

  const lose = (host: PaintHost): void => {
    restartsLeft -= 1;
    if (inWorkers && restartsLeft < 0) {
      inWorkers = false;
      console.warn("Workers fail to draw charts: the page draws them itself, which is slower.");
    }
    hosts.splice(hosts.indexOf(host), 1);
    host.executor.close();
    for (const card of host.cards.values()) card.options.onlost?.();
  };
  const isShort = (): boolean => inWorkers && hosts.length < workers;
  const hostFor = (card: AttachedCard): PaintHost => {
    if (card.isSmall || !inWorkers) return (page ??= new PaintHost(false, lose));
    if (isShort()) hosts.push(new PaintHost(true, lose));
    return hosts.reduce((best, host) => (host.cards.size < best.cards.size ? host : best));
  };

  return {
    warmUp() {
      while (isShort()) hosts.push(new PaintHost(true, lose));
    },
    attach(canvas, options = {}) {
      const card = new AttachedCard(nextId++, options);
      let host: PaintHost | undefined;
      cardOf.set(canvas, card);
      watcher?.observe(canvas);
      const tell = (changed: boolean): void => {
        if (!changed || !card.isReady) return;
        // It has become large: a worker wants a canvas that nobody has drawn on.
        if (host && host === page && inWorkers && !card.isSmall) return options.onlost?.();
        if (!host) (host = hostFor(card)).add(card, canvas);
        host.ask(card);
      };
      return {
        setData: (set) => tell(card.setData(set)),
        setStyle: (style) => tell(card.setStyle(style)),
        setView: (view) => tell(card.setView(view)),
        nearest: (px, py) => card.nearest(px, py),
        dispose() {
          watcher?.unobserve(canvas);
          host?.remove(card);
        },
      };
    },
    close() {
      watcher?.disconnect();
      for (const host of hosts.splice(0)) host.executor.close();
      page?.executor.close();
    },
  };
}

function workersHere(): number {
  return canUseWorkers() ? Math.min(2, navigator.hardwareConcurrency || 1) : 0;
}

let pageLayer: Layer | undefined;

/** The one layer that all charts of the page share. */
export function sharedLayer(): Layer {
  pageLayer ??= createLayer();
  return pageLayer;
}

/** For views full of charts of many runs: call it before they are mounted. */
export const warmCharts = (): void => sharedLayer().warmUp();
