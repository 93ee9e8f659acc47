import { saveArchive, saveImage } from "../../data/image_archive";
import { imageNote, isVideo } from "../../data/image_series.svelte";

/** Images: downloaded, one or many as a ZIP, described, and told from videos. */
export const imageFiles = { save: saveImage, saveArchive, note: imageNote, isVideo } as const;
