/** Pictures of a run, small enough for a strip: what a step holds, and where its thumbnails are. */

import { fetchCaptions } from "../../data/captions";
import { requestJson } from "../../data/request";
import { Resource } from "../../data/resource.svelte";
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

export interface StepRequest {
  readonly list: PayloadList;
  readonly position: number;
  readonly hasCaptions: boolean;
}

export interface StepImages {
  readonly images: HeldImages;
  readonly captions: readonly string[];
}

/** The images that one tag holds at a step. What was there stays until the new step is: the strip does not jump. */
export const stepImages = (): Resource<StepRequest, StepImages> =>
  new Resource<StepRequest, StepImages>(
    async ({ list, position, hasCaptions }, signal) => {
      const images = await requestJson<HeldImages>(`${ROUTES}/step?${query(list, position, 0)}`, { signal });
      const { run, tag, steps } = list;
      const count = images.samples.length;
      return { images, captions: hasCaptions ? await fetchCaptions(run, tag, steps[position]!, count) : [] };
    },
    {
      keyOf: ({ list, position, hasCaptions }) =>
        JSON.stringify([list.run, list.tag, list.index[position], hasCaptions]),
    },
  );

export const thumbnailAddress = (list: PayloadList, position: number, sample: number, side: number): string =>
  `${ROUTES}/thumbnail?${query(list, position, sample)}&side=${side}`;

/** The first frame of an animation, for people whose system is set to less motion. */
export const stillAddress = (list: PayloadList, position: number, sample: number): string =>
  `${ROUTES}/frame?${query(list, position, sample)}&frame=0`;

function query(list: PayloadList, position: number, sample: number): string {
  const parameters = payloadQuery(list, position, sample);
  parameters.delete("kind");
  return parameters.toString();
}
