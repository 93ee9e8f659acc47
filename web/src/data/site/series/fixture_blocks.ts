import { decodeColumns, type ColumnBlock } from "../../columns";

/** Blocks in windows.fixture.json, for tests. */
export async function unpack(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export const unpackBlock = async (text: string): Promise<ColumnBlock> => decodeColumns((await unpack(text)).buffer);
