export function categoryStyle(code: number): { token: string; shape: "dot" | "ring" } {
  if (code < 0 || code >= 24) return { token: "--text-3", shape: "dot" };
  return { token: `--run-${code + 1}`, shape: code < 12 ? "dot" : "ring" };
}
