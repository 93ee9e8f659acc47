import { readStored, writeStored } from "../../base/browser_storage";

/** What this browser stores for one person, such as the size of a panel. */
export const browserStorage = { read: readStored, write: writeStored } as const;
