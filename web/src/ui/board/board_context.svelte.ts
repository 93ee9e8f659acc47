/** What the cards of a board share: the context of the dashboard, the card at hand, the one on the full screen. */

import { createContext } from "svelte";
import { CardState } from "./card_state.svelte";
import type { BoardHost } from "./host";

/** Set by a board, or by a card that stands alone among those of another dashboard. */
export const [getBoardContext, setBoardContext] = createContext<BoardContext>();

/** The part of a card frame that its board decides. */
export interface FrameState {
  readonly full: boolean;
  /** The frame is drawn by another dashboard. */
  readonly bare: boolean;
  readonly onfull?: () => void;
  /** Its button for the full screen takes the focus, or its first one. */
  readonly takesFocus: boolean;
  readonly onenter: () => void;
  readonly onleave: () => void;
}

export class BoardContext<Host extends BoardHost = BoardHost> {
  /** The card under the pointer or the keyboard, for shortcuts. */
  at = $state<string | null>(null);
  /** The card that takes the focus when it is drawn next. */
  focusNext = $state<string | null>(null);
  readonly cards: CardState;
  /** The key of the card on the full screen. */
  readonly full = $derived.by(() => this.context.url.get("card") ?? null);

  constructor(
    readonly context: Host,
    /** Only of a card that another dashboard frames: whether it has the whole screen. */
    private readonly hosted?: { readonly isFull: () => boolean },
  ) {
    this.cards = new CardState(context.url);
  }

  get isHosted(): boolean {
    return this.hosted !== undefined;
  }

  isFull(card: string): boolean {
    return this.hosted ? this.hosted.isFull() : this.full === card;
  }

  open(card: string | null): void {
    this.context.url.set("card", card ?? undefined, { push: true });
  }

  /** Reactive: spread it into a card's frame. */
  frameOf(card: string): FrameState {
    const full = this.isFull(card);
    return {
      full,
      bare: this.isHosted,
      takesFocus: this.focusNext === card && !full,
      ...(this.isHosted ? {} : { onfull: () => this.open(full ? null : card) }),
      onenter: () => void (this.at = card),
      onleave: () => void (this.at = this.at === card ? null : this.at),
    };
  }
}
