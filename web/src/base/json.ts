/** Text that comes from anywhere, such as an address: null if it is not JSON. */
export function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

/** The strings of a JSON list; what is not understood is left out. */
export function parseNames(text: string | undefined): string[] {
  const list = parseJson(text);
  return Array.isArray(list) ? list.filter((name) => typeof name === "string") : [];
}
