/** The identity of a card: its kind and its tag, since an image and a scalar may share a tag. */

export const SCALARS = "scalars";

export interface CardId {
  readonly kind: string;
  readonly tag: string;
}

export const cardKey = ({ kind, tag }: CardId): string => `${kind}\0${tag}`;
