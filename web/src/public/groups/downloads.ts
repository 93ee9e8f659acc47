import { escapeXml } from "../../base/xml";
import { fileName, saveBlob } from "../../base/save";
import { saveAddress } from "../../data/media";
import { saveEverything } from "../scalar_card/save_everything";

/**
 * Downloads a Blob or what is at an address as a file, makes a name for it, downloads all points of many tags, and escapes
 * text for an SVG file.
 */
export const downloads = { save: saveBlob, saveAddress, fileName, everything: saveEverything, escapeXml } as const;
