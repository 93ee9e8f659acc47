/** How a mesh wants to be looked at, as logged with it: camera, lights and material, in the words of three.js. */

export interface LightOptions {
  readonly cls: "AmbientLight" | "DirectionalLight" | "PointLight" | "HemisphereLight" | "SpotLight";
  readonly color: string | number;
  readonly intensity: number;
  readonly position?: readonly [number, number, number];
}

export interface MaterialOptions {
  readonly cls:
    | "MeshBasicMaterial"
    | "MeshLambertMaterial"
    | "MeshPhongMaterial"
    | "MeshStandardMaterial"
    | "MeshPhysicalMaterial"
    | "MeshNormalMaterial"
    | "PointsMaterial";
  /** Numbers, booleans and colours only: nothing that could name a file or a function. */
  readonly settings: Readonly<Record<string, number | boolean | string>>;
}

export interface Config {
  readonly fov?: number;
  readonly position?: readonly [number, number, number];
  readonly lights: readonly LightOptions[];
  readonly material?: MaterialOptions;
  /** Why something of it was not understood. */
  readonly remark: string;
}

const LIGHTS = ["AmbientLight", "DirectionalLight", "PointLight", "HemisphereLight", "SpotLight"] as const;
const MATERIALS = [
  "MeshBasicMaterial",
  "MeshLambertMaterial",
  "MeshPhongMaterial",
  "MeshStandardMaterial",
  "MeshPhysicalMaterial",
  "MeshNormalMaterial",
  "PointsMaterial",
] as const;
const NUMBERS = new Set([
  "roughness",
  "metalness",
  "shininess",
  "opacity",
  "size",
  "reflectivity",
  "emissiveIntensity",
  "clearcoat",
  "clearcoatRoughness",
  "sheen",
  "transmission",
  "ior",
]);
const SWITCHES = new Set(["wireframe", "flatShading", "transparent"]);
const COLOURS = new Set(["color", "emissive", "specular", "sheenColor"]);

export const NOTHING: Config = { lights: [], remark: "" };

export function parseConfig(text: string): Config {
  if (text.trim() === "") return NOTHING;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { ...NOTHING, remark: "The logged configuration is not JSON; shown with the usual lights." };
  }
  if (!isRecord(parsed)) return NOTHING;
  const unknown: string[] = [];
  const camera = isRecord(parsed["camera"]) ? parsed["camera"] : {};
  const fov = finite(camera["fov"]);
  const position = triple(camera["position"]);
  const lights = (Array.isArray(parsed["lights"]) ? parsed["lights"] : []).flatMap((options) =>
    light(options, unknown),
  );
  const material = isRecord(parsed["material"]) ? materialOf(parsed["material"], unknown) : undefined;
  return {
    ...(fov !== undefined && fov > 0 && fov < 180 && { fov }),
    ...(position && { position }),
    lights,
    ...(material && { material }),
    remark:
      unknown.length > 0 ? `The logged configuration asks for what is not known here: ${unknown.join(", ")}.` : "",
  };
}

function light(options: unknown, unknown: string[]): LightOptions[] {
  if (!isRecord(options)) return [];
  const cls = LIGHTS.find((name) => name === options["cls"]);
  if (!cls) {
    unknown.push(String(options["cls"]));
    return [];
  }
  const position = triple(options["position"]);
  return [
    {
      cls,
      color: colour(options["color"]) ?? "#ffffff",
      intensity: Math.max(0, finite(options["intensity"]) ?? 1),
      ...(position && { position }),
    },
  ];
}

function materialOf(options: Record<string, unknown>, unknown: string[]): MaterialOptions | undefined {
  const cls = MATERIALS.find((name) => name === options["cls"]);
  if (!cls) {
    unknown.push(String(options["cls"]));
    return undefined;
  }
  const settings: Record<string, number | boolean | string> = {};
  for (const [name, value] of Object.entries(options)) {
    const tint = COLOURS.has(name) ? colour(value) : undefined;
    if (tint !== undefined) settings[name] = tint;
    else if (NUMBERS.has(name) && finite(value) !== undefined) settings[name] = value as number;
    else if (SWITCHES.has(name) && typeof value === "boolean") settings[name] = value;
  }
  return { cls, settings };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const finite = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;
const colour = (value: unknown): string | number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 0xffffff
    ? value
    : typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value)
      ? value
      : undefined;

function triple(value: unknown): readonly [number, number, number] | undefined {
  if (!Array.isArray(value) || value.length !== 3 || value.some((part) => finite(part) === undefined)) return undefined;
  return value as unknown as readonly [number, number, number];
}
