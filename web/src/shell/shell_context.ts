/** The shell for all of its components, without passing it down as a prop. */

import { createContext } from "svelte";
import type { Shell } from "./shell.svelte";

export const [useShell, provideShell] = createContext<Shell>();
