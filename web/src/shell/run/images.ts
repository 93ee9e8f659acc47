/** Pictures of a run, small enough for a strip: what a step holds, and where its thumbnails are. */

import { requestJson } from "../../data/request";
import { payloadQuery, type PayloadList } from "../../data/payloads";

const ROUTES = "api/dashboards/images";

export interface HeldImages {
  readonly samples: readonly {
    readonly mime: string;
    readonly width: number | null;
    readonly height: number | null;
    readonly fault: string;
    readonly is_shown: boolean;
  }[];
  readonly fault: string;
}

export const fetchHeld = (list: PayloadList, position: number): Promise<HeldImages> =>
  requestJson<HeldImages>(`${ROUTES}/step?${query(list, position, 0)}`);

export const thumbnailAddress = (list: PayloadList, position: number, sample: number, side: number): string =>
  `${ROUTES}/thumbnail?${query(list, position, sample)}&side=${side}`;

/** The first frame of an animation, for those who asked their system for less motion. */
export const stillAddress = (list: PayloadList, position: number, sample: number): string =>
  `${ROUTES}/frame?${query(list, position, sample)}&frame=0`;

function query(list: PayloadList, position: number, sample: number): string {
  const asked = payloadQuery(list, position, sample);
  asked.delete("kind");
  return asked.toString();
}
