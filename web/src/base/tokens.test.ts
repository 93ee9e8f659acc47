import { describe, expect, test } from "vitest";
import source from "./tokens.css?raw";

/** Ratios as WCAG 2 defines them: text wants 4.5 to 1 (AA), a line that carries meaning 3 to 1. */
const TEXT = 4.5;
const LINE = 3;
const FILLS = ["--bg", "--surface", "--sunken", "--raised", "--hover", "--selected"];
const WORDS = ["--text", "--text-2", "--text-3", "--accent", "--ok", "--warn", "--err"];
const RUNS = Array.from({ length: 24 }, (_, index) => `--run-${index + 1}`);

type Rgb = readonly number[];
const css = source.replace(/\/\*.*?\*\//gs, "");

function tokensOf(theme: string): (name: string) => string {
  const block = [...css.matchAll(/([^{}]+)\{([^{}]*)\}/g)].find(([, selector]) =>
    selector!.includes(`"${theme}"`),
  )![2]!;
  const values = new Map([...block.matchAll(/(--[\w-]+):\s*(#[0-9a-f]+)/gi)].map(([, name, value]) => [name!, value!]));
  return (name) => values.get(name) ?? expect.fail(`no colour ${name} in the ${theme} theme`);
}

/** A colour that lets its background through is laid over it first. */
function rgb(hex: string, below: Rgb = [255, 255, 255]): Rgb {
  const parts = [1, 3, 5, 7].map((at) => parseInt(hex.slice(at, at + 2), 16));
  const alpha = hex.length === 9 ? parts[3]! / 255 : 1;
  return parts.slice(0, 3).map((part, index) => part * alpha + below[index]! * (1 - alpha));
}

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) =>
    part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(a: Rgb, b: Rgb): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((one, other) => one - other);
  return (light! + 0.05) / (dark! + 0.05);
}

test("the ratio is WCAG's", () => {
  expect(contrast(rgb("#000000"), rgb("#ffffff"))).toBeCloseTo(21, 5);
  expect(contrast(rgb("#777777"), rgb("#ffffff"))).toBeCloseTo(4.48, 2);
  expect(rgb("#00000080", rgb("#ffffff"))[0]).toBeCloseTo(127, 0);
});

/** The chroma of OKLab: 0 of grey and white. */
function chroma(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) =>
    part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number];
  const long = Math.cbrt(0.4122 * red + 0.5363 * green + 0.0514 * blue);
  const medium = Math.cbrt(0.2119 * red + 0.6807 * green + 0.1074 * blue);
  const short = Math.cbrt(0.0883 * red + 0.2817 * green + 0.63 * blue);
  return Math.hypot(1.978 * long - 2.4286 * medium + 0.4506 * short, 0.0259 * long + 0.7828 * medium - 0.8087 * short);
}

test("on dark no run is almost white", () => {
  const token = tokensOf("dark");
  expect(RUNS.filter((name) => chroma(rgb(token(name))) < 0.07)).toEqual([]);
});

describe.each(["light", "dark"])("in the %s theme", (theme) => {
  const token = tokensOf(theme);
  const surface = rgb(token("--surface"));
  const low = (pairs: readonly (readonly [string, Rgb, string, Rgb])[], least: number): string[] =>
    pairs.flatMap(([name, colour, on, fill]) =>
      contrast(colour, fill) < least ? [`${name} on ${on}: ${contrast(colour, fill).toFixed(2)}`] : [],
    );

  test("words can be read on every fill", () => {
    expect(
      low(
        WORDS.flatMap((word) => FILLS.map((fill) => [word, rgb(token(word)), fill, rgb(token(fill))] as const)),
        TEXT,
      ),
    ).toEqual([]);
  });

  test("words can be read on the fills that are made for them", () => {
    const made = [
      ["--accent-ink", "--accent"],
      ["--accent", "--accent-soft"],
      ["--warn", "--warn-soft"],
      ["--text-2", "--warn-soft"],
      ["--err", "--err-soft"],
      ["--text", "--add"],
      ["--text", "--del"],
    ] as const;
    expect(
      low(
        made.map(([word, fill]) => [word, rgb(token(word)), fill, rgb(token(fill), surface)] as const),
        TEXT,
      ),
    ).toEqual([]);
  });

  test("code can be read where it stands", () => {
    const words = ["keyword", "string", "number", "name", "variable"].map((part) => `--code-${part}`);
    expect(
      low(
        words.flatMap((word) =>
          ["--surface", "--sunken"].map((fill) => [word, rgb(token(word)), fill, rgb(token(fill))] as const),
        ),
        TEXT,
      ),
    ).toEqual([]);
  });

  test("fields and findings stand out from every fill", () => {
    expect(
      low(
        ["--line-3", "--warn"].flatMap((line) =>
          FILLS.map((fill) => [line, rgb(token(line)), fill, rgb(token(fill))] as const),
        ),
        LINE,
      ),
    ).toEqual([]);
  });

  test("lines of runs and the ring of the focus stand out from a card", () => {
    expect(
      low(
        [...RUNS, "--ring"].map((name) => [name, rgb(token(name)), "--surface", surface] as const),
        LINE,
      ),
    ).toEqual([]);
  });
});
