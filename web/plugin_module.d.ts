import type { Plugin } from "vite";

export const PLUGIN_ENTRY: string;
export const PLUGIN_SOURCE: string;
export function publishedTypes(): string;
export function declarationsOf(source: string): string;
export function pluginModule(): Plugin;
