/** From the server to a shape: the parts that were logged, or a file in one of four formats. */

import { messageOf, requestBytes, requestJson } from "$public/core";
import { BufferGeometry, Mesh, Points, Texture, type Object3D } from "three";
import {
  checked,
  indexAt,
  shuffled,
  type LoggedMesh,
  type MeshFile,
  type PartName,
  type Raw,
  type Shape,
} from "./model";
import type { FilesResponse, MeshesResponse } from "./wire_types";

const ROOT = "api/dashboards/mesh";
/** Below this many a cloud is drawn whole while it turns. */
const SHUFFLE_FROM = 20_000;
const KEPT = 24;

export const fetchMeshes = async (): Promise<readonly LoggedMesh[]> =>
  (await requestJson<MeshesResponse>(`${ROOT}/meshes`)).meshes;
export const fetchFiles = (): Promise<FilesResponse> => requestJson(`${ROOT}/files`);

/** Shapes seen last, so that a slider may go back and forth. */
const kept = new Map<string, Promise<Shape>>();

export function loggedShape(mesh: LoggedMesh, step: number, sample: number): Promise<Shape> {
  const vertices = mesh.parts.VERTEX;
  const wall = vertices?.walls[vertices.steps.lastIndexOf(step)];
  return remembered(`${mesh.run}\n${mesh.name}\n${step}\n${wall}\n${sample}`, async () => {
    const [positions, faces, colours] = await Promise.all([
      part(mesh, "VERTEX", step, sample),
      part(mesh, "FACE", step, sample),
      part(mesh, "COLOR", step, sample),
    ]);
    if (!positions) throw new Error(`there are no vertices at step ${step}`);
    return finished({
      positions: new Float32Array(positions),
      ...(faces && { faces: new Int32Array(faces) }),
      ...(colours && { colours: new Uint8Array(colours) }),
    });
  });
}

export function fileShape(file: MeshFile): Promise<Shape> {
  return remembered(`${file.run}\n${file.path}\n${file.bytes}`, async () =>
    finished(
      await parsed(
        file.path,
        await requestBytes(`${ROOT}/file?${new URLSearchParams({ run: file.run, path: file.path })}`),
      ),
    ),
  );
}

async function part(mesh: LoggedMesh, name: PartName, step: number, sample: number): Promise<ArrayBuffer | undefined> {
  const index = indexAt(mesh.parts[name], step);
  if (index === undefined) return undefined;
  return requestBytes(
    `${ROOT}/part?${new URLSearchParams({ run: mesh.run, tag: mesh.parts[name]!.tag, index: String(index), sample: String(sample) })}`,
  );
}

function remembered(key: string, make: () => Promise<Shape>): Promise<Shape> {
  const known = kept.get(key);
  const shape = known ?? make();
  kept.delete(key);
  kept.set(key, shape);
  if (!known) shape.catch(() => kept.delete(key));
  if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
  return shape;
}

function finished(raw: Raw): Shape {
  const shape = checked(raw);
  return !shape.faces && shape.positions.length / 3 >= SHUFFLE_FROM ? shuffled(shape) : shape;
}

async function parsed(path: string, data: ArrayBuffer): Promise<Raw> {
  const format = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  try {
    if (format === "ply") return await parsedPly(data);
    if (format === "stl")
      return joined(new Mesh(new (await import("three/addons/loaders/STLLoader.js")).STLLoader().parse(data)));
    if (format === "obj")
      return joined(
        new (await import("three/addons/loaders/OBJLoader.js")).OBJLoader().parse(new TextDecoder().decode(data)),
      );
    return joined(await parsedGlb(data));
  } catch (failure) {
    throw new Error(`this file cannot be read as ${format.toUpperCase()}: ${messageOf(failure)}`, { cause: failure });
  }
}

/** Numbers of the vertices beside place, normal and colour: each becomes something to colour by. */
async function parsedPly(data: ArrayBuffer): Promise<Raw> {
  const head = new TextDecoder("latin1").decode(data.slice(0, 4096));
  if (!head.startsWith("ply")) throw new Error("it does not begin with 'ply'");
  const usual = new Set([
    "x",
    "y",
    "z",
    "nx",
    "ny",
    "nz",
    "s",
    "t",
    "u",
    "v",
    "texture_u",
    "texture_v",
    "red",
    "green",
    "blue",
    "alpha",
    "diffuse_red",
    "diffuse_green",
    "diffuse_blue",
  ]);
  const vertexPart = /element vertex [^\n]*\n((?:property [^\n]*\n)*)/.exec(head.replaceAll("\r", ""))?.[1] ?? "";
  const further = [...vertexPart.matchAll(/property (?!list)\w+ (\S+)/g)]
    .map((match) => match[1]!)
    .filter((name) => !usual.has(name));
  const loader = new (await import("three/addons/loaders/PLYLoader.js")).PLYLoader();
  loader.setCustomPropertyNameMapping(Object.fromEntries(further.map((name) => [name, [name]])));
  const geometry = loader.parse(data);
  const scalars = Object.fromEntries(
    further.flatMap((name) => {
      const values = geometry.getAttribute(name)?.array;
      return values ? [[name, Float32Array.from(values)]] : [];
    }),
  );
  return { ...rawOf(geometry), scalars };
}

/** Without its pictures: shape and colour of the vertices are what is looked at here, and nothing is fetched from elsewhere. */
async function parsedGlb(data: ArrayBuffer): Promise<Object3D> {
  const { GLTFLoader } = await import("three/addons/loaders/GLTFLoader.js");
  const loader = new GLTFLoader();
  loader.register(() => ({ name: "SEAMARK_no_textures", loadTexture: () => Promise.resolve(new Texture()) }));
  loader.manager.setURLModifier(() => {
    throw new Error("it names other files, which are not read");
  });
  return (await loader.parseAsync(data, "")).scene;
}

function rawOf(geometry: BufferGeometry): Raw {
  const place = geometry.getAttribute("position");
  if (!place) throw new Error("it has no vertices");
  const colour = geometry.getAttribute("color");
  const positions = new Float32Array(place.count * 3);
  const colours = colour ? new Uint8Array(place.count * 3) : undefined;
  for (let v = 0; v < place.count; v += 1) {
    positions.set([place.getX(v), place.getY(v), place.getZ(v)], 3 * v);
    // Loaders hand out linear light; colours are bytes as on the screen.
    colours?.set([colour!.getX(v), colour!.getY(v), colour!.getZ(v)].map(screenByte), 3 * v);
  }
  const faces = geometry.index?.array;
  return { positions, ...(faces && { faces }), ...(colours && { colours }) };
}

const screenByte = (light: number): number =>
  Math.round(255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055));

/** Everything in a scene as one, each at its place. */
function joined(scene: Object3D): Raw {
  scene.updateMatrixWorld(true);
  const raws: Raw[] = [];
  scene.traverse((object) => {
    if (!(object instanceof Mesh) && !(object instanceof Points)) return;
    const geometry = (object.geometry as BufferGeometry).clone().applyMatrix4(object.matrixWorld);
    const raw = rawOf(geometry);
    const count = raw.positions.length / 3;
    // Vertices one after the other are corners of faces, unless they are points.
    const faces = raw.faces ?? (object instanceof Mesh ? Uint32Array.from({ length: count }, (_, i) => i) : undefined);
    raws.push({ ...raw, ...(faces && { faces }) });
  });
  if (raws.length === 0) throw new Error("it holds nothing to draw");
  const positions = new Float32Array(raws.reduce((sum, raw) => sum + raw.positions.length, 0));
  const colours = raws.some((raw) => raw.colours) ? new Uint8Array(positions.length).fill(190) : undefined;
  const faces = new Uint32Array(raws.reduce((sum, raw) => sum + (raw.faces?.length ?? 0), 0));
  let [v, f] = [0, 0];
  for (const raw of raws) {
    positions.set(raw.positions, v);
    if (raw.colours) colours?.set(raw.colours, v);
    for (let i = 0; i < (raw.faces?.length ?? 0); i += 1) faces[f + i] = raw.faces![i]! + v / 3;
    f += raw.faces?.length ?? 0;
    v += raw.positions.length;
  }
  return { positions, ...(faces.length > 0 && { faces }), ...(colours && { colours }) };
}
