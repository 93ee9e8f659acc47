/** Names as the table shows them: without the path that all runs end in, split into folders and a leaf. */

/** "/logs/tensorboard" when every run ends in it. Every name keeps at least one part. */
export function sharedTail(names: readonly string[]): string {
  const first = names[0]?.split("/");
  if (names.length < 2 || !first) return "";
  let length = 0;
  while (length < first.length - 1) {
    const tail = `/${first.slice(first.length - length - 1).join("/")}`;
    if (!names.every((name) => name.endsWith(tail) && name.length > tail.length)) break;
    length += 1;
  }
  return length === 0 ? "" : `/${first.slice(first.length - length).join("/")}`;
}

export const withoutTail = (name: string, tail: string): string =>
  tail !== "" && name.endsWith(tail) && name.length > tail.length ? name.slice(0, -tail.length) : name;

/** "a/b/" of "a/b/c"; "" at the top. */
export const folderOf = (name: string): string => name.slice(0, name.lastIndexOf("/") + 1);

const NEAR = 8;

/** Those that begin or end like it, the most alike first. */
export function nearNames(names: readonly string[], wanted: string): string[] {
  const alike = (name: string): number => {
    const most = Math.min(name.length, wanted.length);
    let head = 0;
    while (head < most && name[head] === wanted[head]) head += 1;
    let tail = 0;
    while (tail < most - head && name.at(-1 - tail) === wanted.at(-1 - tail)) tail += 1;
    return (head + tail) / Math.max(name.length, wanted.length);
  };
  return names
    .map((name) => ({ name, share: alike(name) }))
    .filter(({ share }) => share > 0.3)
    .sort((a, b) => b.share - a.share)
    .slice(0, NEAR)
    .map(({ name }) => name);
}
