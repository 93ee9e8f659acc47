import { fileName, saveBlob } from "../../base/save";
import { saveEverything } from "../scalar_card/save_everything";

/** Downloads a Blob as a file, makes a name for it, and downloads all points of many tags. */
export const downloads = { save: saveBlob, fileName, everything: saveEverything } as const;
