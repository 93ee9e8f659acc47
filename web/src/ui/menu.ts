/** What a menu holds. */

export interface MenuItem {
  readonly title: string;
  /** On the right: keys, or what the choice means. */
  readonly hint?: string;
  /** Shown with a check mark; undefined for a plain action. */
  readonly checked?: boolean;
  /** Why it cannot be chosen. It is listed with the reason. */
  readonly reason?: string;
  readonly run: () => void;
}

/** Groups of items, with a line between two. */
export type MenuGroups = readonly (readonly MenuItem[])[];
