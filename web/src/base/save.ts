/** A file made in the browser, into the folder of downloads. */

const KEEP_MS = 60_000;

export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Some browsers read it later.
  setTimeout(() => URL.revokeObjectURL(link.href), KEEP_MS);
}

/** A name that any file system takes. */
export function fileName(title: string, ending: string): string {
  const plain = title
    .replace(/[^\p{L}\p{N}._-]+/gu, "_")
    .replace(/^[_.]+|[_.]+$/g, "")
    .slice(0, 80);
  return `${plain || "series"}.${ending}`;
}
