/** One card's scene: the mesh, its lights, a camera that can be turned, and no more points than can be drawn in time. */

import { themeColours } from "$public/charts";
import {
  AmbientLight,
  BufferAttribute,
  BufferGeometry,
  DirectionalLight,
  DoubleSide,
  HemisphereLight,
  Material,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshNormalMaterial,
  MeshPhongMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  PerspectiveCamera,
  PointLight,
  Points,
  PointsMaterial,
  Scene,
  SpotLight,
  type Light,
  type MaterialParameters,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { NOTHING, type Config, type LightOptions, type MaterialOptions } from "./config";
import { rangeOf, scalarOf, type Shape } from "./model";
import { fitted, fromPose, START, toPose, type Pose, type Vector } from "./pose";
import { stage, type Act } from "./stage";

/** How all cards are drawn. */
export interface CommonLook {
  readonly pointSize: number;
  readonly wireframe: boolean;
  readonly flat: boolean;
  readonly colouring: string;
  readonly zUp: boolean;
  /** From the least number to the largest, each 0xRRGGBB. */
  readonly ramp: readonly number[];
}

export interface Look extends CommonLook {
  /** Of a vertex without a colour of its own: the run's. */
  readonly plain: string;
}

const FOV = 45;
/** A frame may take so long while the camera moves; then fewer points are drawn, and all of them once it rests. */
const FRAME_MS = 30;
const REST_MS = 160;
const FIRST_BUDGET = 120_000;
const LEAST_BUDGET = 20_000;
// Since release 155 three.js counts light in physical units: what older pages called 1 is π now.
const LIGHT_UNIT = Math.PI;

const MESH_MATERIALS = {
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshPhongMaterial,
  MeshStandardMaterial,
  MeshPhysicalMaterial,
  MeshNormalMaterial,
};
const LINEAR = new Uint16Array(256).map((_, byte) => {
  const value = byte / 255;
  return Math.round(65535 * (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
});

export class View implements Act {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(FOV, 1, 0.01, 1000);
  #controls: OrbitControls;
  #shape: Shape | null = null;
  #config: Config = NOTHING;
  #look: Look | null = null;
  #thing: Mesh | Points | null = null;
  #made: (Pick<Look, "colouring" | "ramp"> & { readonly shape: Shape; readonly geometry: BufferGeometry }) | null =
    null;
  #zooms = false;
  #isFitted = true;
  #isMoving = false;
  #budget = FIRST_BUDGET;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly canvas: HTMLCanvasElement,
    /** Called when a person turned, moved or zoomed it. */
    private readonly onturn: (pose: Pose) => void,
  ) {
    this.#controls = this.#control();
  }

  /** The wheel scrolls the page until the card is clicked. */
  set zooms(options: boolean) {
    this.#zooms = options;
    this.#controls.enableZoom = options;
  }

  show(shape: Shape, config: Config): void {
    const first = this.#shape === null;
    this.#shape = shape;
    this.#config = config;
    this.camera.fov = config.fov ?? FOV;
    this.#build();
    if (first || this.#isFitted) this.fit();
    this.ask();
  }

  set look(look: Look) {
    const before = this.#look;
    this.#look = look;
    if (before?.zUp !== look.zUp) {
      this.camera.up.set(0, look.zUp ? 0 : 1, look.zUp ? 1 : 0);
      // The controls keep the way up they were made with.
      this.#controls = this.#control();
      if (before) this.fit();
    }
    this.#build();
    this.ask();
  }

  /** All of it, from the side it was first seen from. */
  fit(): void {
    this.#isFitted = true;
    const start = this.#config.position
      ? { eye: this.#config.position, target: [0, 0, 0] as Vector }
      : this.#look?.zUp
        ? { eye: [1.1, -1.9, 0.9] as Vector, target: [0, 0, 0] as Vector }
        : START;
    this.#place(fitted(start, this.camera.fov, this.#aspect));
  }

  get pose(): Pose {
    const { centre, radius } = this.#bounds;
    return toPose(
      this.camera.position.toArray() as unknown as Vector,
      this.#controls.target.toArray() as unknown as Vector,
      centre,
      radius,
    );
  }

  /** As another card was turned. */
  follow(pose: Pose): void {
    this.#isFitted = false;
    this.#place(pose);
    this.#move();
  }

  ask(): void {
    stage.draw(this);
  }

  prepare(width: number, height: number): void {
    const { radius } = this.#bounds;
    const distance = this.camera.position.distanceTo(this.#controls.target);
    this.camera.aspect = width / height;
    this.camera.near = Math.max(distance - 4 * radius, radius / 1000);
    this.camera.far = distance + 4 * radius;
    this.camera.updateProjectionMatrix();
    if (this.#thing instanceof Points && this.#shape) {
      const all = this.#shape.positions.length / 3;
      const count = this.#isMoving ? Math.min(all, this.#budget) : all;
      this.#thing.geometry.setDrawRange(0, count);
      this.canvas.dataset["drawn"] = String(count);
    }
  }

  drawn(tookMs: number): void {
    if (!this.#isMoving || !(this.#thing instanceof Points)) return;
    if (tookMs > FRAME_MS) this.#budget = Math.max(LEAST_BUDGET, Math.round(this.#budget * 0.7));
    else if (tookMs < FRAME_MS / 2) this.#budget = Math.round(this.#budget * 1.3);
  }

  /** A picture of what is seen, on this ground. */
  async picture(ground: string): Promise<Blob> {
    const copy = new OffscreenCanvas(this.canvas.width, this.canvas.height);
    const context = copy.getContext("2d");
    if (!context) throw new Error("this browser cannot make a picture");
    context.fillStyle = ground;
    context.fillRect(0, 0, copy.width, copy.height);
    context.drawImage(this.canvas, 0, 0);
    return copy.convertToBlob({ type: "image/png" });
  }

  close(): void {
    stage.remove(this);
    clearTimeout(this.#rest);
    this.#controls.removeEventListener("change", this.#turned);
    this.#controls.dispose();
    this.#clear();
    this.#made?.geometry.dispose();
  }

  #control(): OrbitControls {
    this.#controls?.dispose();
    const controls = new OrbitControls(this.camera, this.canvas);
    controls.enableZoom = this.#zooms;
    controls.listenToKeyEvents(this.canvas);
    controls.addEventListener("change", this.#turned);
    return controls;
  }

  readonly #turned = (): void => {
    this.#isFitted = false;
    this.#move();
    this.onturn(this.pose);
  };

  /** Draws fast now and whole in a moment. */
  #move(): void {
    this.#isMoving = true;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      this.#isMoving = false;
      this.ask();
    }, REST_MS);
    this.ask();
  }

  #place(pose: Pose): void {
    const { centre, radius } = this.#bounds;
    const { eye, target } = fromPose(pose, centre, radius);
    this.#controls.removeEventListener("change", this.#turned);
    this.#controls.target.set(...(target as [number, number, number]));
    this.camera.position.set(...(eye as [number, number, number]));
    this.#controls.update();
    this.#controls.addEventListener("change", this.#turned);
  }

  get #bounds(): { readonly centre: Vector; readonly radius: number } {
    return this.#shape?.bounds ?? { centre: [0, 0, 0], radius: 1 };
  }

  get #aspect(): number {
    return this.canvas.height > 0 ? this.canvas.width / this.canvas.height : 1;
  }

  #build(): void {
    const [shape, look] = [this.#shape, this.#look];
    if (!shape || !look) return;
    this.#clear();
    const geometry = this.#geometryOf(shape, look);
    const make = shape.faces ? faceMesh : pointCloud;
    this.#thing = make(geometry, look, this.#config.material, geometry.hasAttribute("color"));
    this.scene.add(this.#thing, ...lightsOf(this.#config.lights, this.#bounds));
  }

  /** Positions, normals and colours: made anew when one of them changes, not with a point size or a wireframe. */
  #geometryOf(shape: Shape, look: Look): BufferGeometry {
    const { colouring, ramp } = look;
    const made = this.#made;
    if (made?.shape === shape && made.colouring === colouring && made.ramp === ramp) return made.geometry;
    made?.geometry.dispose();
    const geometry = geometryOf(shape, look);
    this.#made = { shape, colouring, ramp, geometry };
    return geometry;
  }

  #clear(): void {
    (this.#thing?.material as Material | undefined)?.dispose();
    this.#thing = null;
    this.scene.clear();
  }
}

function geometryOf(shape: Shape, look: Look): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(shape.positions, 3));
  const colours = coloursOf(shape, look);
  if (colours) geometry.setAttribute("color", new BufferAttribute(colours, 3, true));
  if (shape.faces) {
    geometry.setIndex(new BufferAttribute(shape.faces, 1));
    geometry.computeVertexNormals();
  }
  return geometry;
}

function faceMesh(geometry: BufferGeometry, look: Look, options: MaterialOptions | undefined, coloured: boolean): Mesh {
  const cls = options && options.cls !== "PointsMaterial" ? options.cls : "MeshStandardMaterial";
  const { size: _, ...settings } = options?.settings ?? {};
  const common = { side: DoubleSide, vertexColors: coloured, flatShading: look.flat, wireframe: look.wireframe };
  const tint = coloured ? {} : { color: look.plain };
  const parameters =
    cls === "MeshNormalMaterial"
      ? { side: DoubleSide, flatShading: look.flat, wireframe: look.wireframe }
      : {
          ...(cls === "MeshStandardMaterial" ? { roughness: 0.75, metalness: 0 } : {}),
          ...tint,
          ...settings,
          ...common,
        };
  return new Mesh(geometry, new MESH_MATERIALS[cls](parameters as MaterialParameters));
}

function pointCloud(
  geometry: BufferGeometry,
  look: Look,
  options: MaterialOptions | undefined,
  coloured: boolean,
): Points {
  const logged = options?.settings["color"];
  const tint = coloured ? {} : { color: logged !== undefined && typeof logged !== "boolean" ? logged : look.plain };
  return new Points(
    geometry,
    new PointsMaterial({
      size: look.pointSize * devicePixelRatio,
      sizeAttenuation: false,
      vertexColors: coloured,
      ...tint,
    }),
  );
}

function coloursOf(shape: Shape, look: Look): Uint16Array | undefined {
  if (look.colouring === "logged") return shape.colours && Uint16Array.from(shape.colours, (byte) => LINEAR[byte]!);
  const values = scalarOf(shape, look.colouring);
  const range = values && rangeOf(values);
  if (!values || !range) return undefined;
  const shades = themeColours.ramp(look.ramp);
  const perShade = range.high > range.low ? (shades.length - 1) / (range.high - range.low) : 0;
  const out = new Uint16Array(3 * values.length);
  values.forEach((value, i) => {
    const rgb = shades[Number.isFinite(value) ? Math.round((value - range.low) * perShade) : 0]!;
    out[3 * i] = LINEAR[rgb >> 16]!;
    out[3 * i + 1] = LINEAR[(rgb >> 8) & 255]!;
    out[3 * i + 2] = LINEAR[rgb & 255]!;
  });
  return out;
}

function lightsOf(
  lights: readonly LightOptions[],
  bounds: { readonly centre: Vector; readonly radius: number },
): Light[] {
  if (lights.length === 0) {
    const key = new DirectionalLight("#ffffff", 0.55 * LIGHT_UNIT);
    key.position.set(1, 2, 1.5);
    const fill = new DirectionalLight("#ffffff", 0.2 * LIGHT_UNIT);
    fill.position.set(-1.5, -0.5, -1);
    return [new HemisphereLight("#ffffff", "#8a8a92", 0.55 * LIGHT_UNIT), key, fill];
  }
  return lights.map(({ cls, color, intensity, position }) => {
    const light =
      cls === "AmbientLight"
        ? new AmbientLight(color, intensity * LIGHT_UNIT)
        : cls === "DirectionalLight"
          ? new DirectionalLight(color, intensity * LIGHT_UNIT)
          : cls === "HemisphereLight"
            ? new HemisphereLight(color, "#8a8a92", intensity * LIGHT_UNIT)
            : // Without decay, as these lights were when the configuration's words were made.
              cls === "PointLight"
              ? new PointLight(color, intensity * LIGHT_UNIT, 0, 0)
              : new SpotLight(color, intensity * LIGHT_UNIT, 0, Math.PI / 3, 0, 0);
    if (position)
      light.position
        .set(...(position as [number, number, number]))
        .multiplyScalar(cls === "DirectionalLight" ? 1 : Math.max(1, bounds.radius));
    return light;
  });
}
