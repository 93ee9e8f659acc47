import type { Plugin } from "vite";

export function preloads(usualView: string): Plugin;
