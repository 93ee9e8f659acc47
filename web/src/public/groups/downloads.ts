import { fileName, saveBlob } from "../../base/save";

/** Downloads a Blob as a file, and makes a name for it. */
export const downloads = { save: saveBlob, fileName } as const;
