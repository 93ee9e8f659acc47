/** "Ada Lovelace" → "AL", "grace@navy.example" → "G". */
export function initialsOf(name: string): string {
  const words = name.split("@")[0]!.trim().split(/\s+/);
  const [first = "", last = ""] = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return ([...first].slice(0, 1).join("") + [...last].slice(0, 1).join("")).toUpperCase() || "?";
}
