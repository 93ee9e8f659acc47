/** Figures for papers: sizes in millimetres, fonts in points, always on white paper. */

import type { ChartSpec } from "../../chart/spec";
import type { LegendPlace, SvgOptions } from "../../chart/svg";
import type { Picture } from "./download";

const PX_PER_INCH = 96;
const MM_PER_INCH = 25.4;
const POINTS_PER_INCH = 72;

export interface FigureFields {
  widthMm: string;
  heightMm: string;
  font: string;
  fontPoints: string;
  title: string;
  xTitle: string;
  yTitle: string;
  legend: LegendPlace;
}

export interface Figure {
  readonly spec: ChartSpec;
  readonly options: SvgOptions;
  readonly widthMm: number;
  readonly heightMm: number;
}

export const SIZES = [
  { value: "89 60", title: "One column, 89 × 60 mm" },
  { value: "183 80", title: "Two columns, 183 × 80 mm" },
  { value: "254 143", title: "Slide, 254 × 143 mm" },
  { value: "", title: "Other" },
] as const;

export const FONTS: readonly { readonly value: string; readonly title: string }[] = [
  { value: 'Helvetica, Arial, "Liberation Sans", sans-serif', title: "Helvetica or Arial" },
  { value: '"Times New Roman", Times, "Liberation Serif", serif', title: "Times" },
  { value: '"Latin Modern Roman", "CMU Serif", "Times New Roman", serif', title: "Latin Modern, if installed" },
  { value: "", title: "That of the page" },
];

const X_TITLES = { step: "Step", relative: "Time since the start", wall: "Time", metric: "" } as const;

export const firstFields = ({ spec, title }: Picture): FigureFields => ({
  widthMm: "89",
  heightMm: "60",
  font: FONTS[0]!.value,
  fontPoints: "7.5",
  title: "",
  xTitle: spec.bars ? title : X_TITLES[spec.set?.unit ?? "metric"],
  yTitle: spec.bars ? "" : title,
  legend: "below",
});

const SIDE_MM = { from: 30, to: 500 };
const FONT_POINTS = { from: 4, to: 30 };

/** The figure, or the sentence that says what is wrong. */
export function figureOf({ spec, title }: Picture, fields: FigureFields): Figure | string {
  const [widthMm, heightMm, points] = [fields.widthMm, fields.heightMm, fields.fontPoints].map(Number) as [
    number,
    number,
    number,
  ];
  for (const [name, side] of Object.entries({ width: widthMm, height: heightMm }))
    if (!(side >= SIDE_MM.from && side <= SIDE_MM.to))
      return `The ${name} must be ${SIDE_MM.from} to ${SIDE_MM.to} mm.`;
  if (!(points >= FONT_POINTS.from && points <= FONT_POINTS.to))
    return `The font size must be ${FONT_POINTS.from} to ${FONT_POINTS.to} points.`;
  const px = (mm: number): number => Math.round((mm / MM_PER_INCH) * PX_PER_INCH);
  const options: SvgOptions = {
    width: px(widthMm),
    height: px(heightMm),
    title: fields.title || title,
    isTitleShown: fields.title !== "",
    xTitle: fields.xTitle,
    yTitle: fields.yTitle,
    legend: fields.legend,
    fontPx: (points / POINTS_PER_INCH) * PX_PER_INCH,
    ...(fields.font ? { fontFamily: fields.font } : {}),
  };
  return { spec: { ...spec, theme: "light" }, options, widthMm, heightMm };
}

/** For print, where a PNG needs 300 dots per inch. */
export const PNG_SCALE = 300 / PX_PER_INCH;

/** Prints nothing but the figure, on paper of its size: browsers save that as a PDF with its fonts in it. */
export async function printFigure(svg: string, { widthMm, heightMm }: Figure): Promise<void> {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    .printed-figure { display: none; }
    @page { size: ${widthMm}mm ${heightMm}mm; margin: 0; }
    @media print {
      html, body { margin: 0; overflow: hidden; height: auto; background: none; }
      body > :not(.printed-figure) { display: none !important; }
      .printed-figure { display: block; width: ${widthMm}mm; height: ${heightMm}mm; break-inside: avoid; }
    }`);
  const image = new Image();
  image.className = "printed-figure";
  image.alt = "";
  image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  await image.decode();
  document.adoptedStyleSheets.push(sheet);
  document.body.append(image);
  addEventListener(
    "afterprint",
    () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
      image.remove();
      URL.revokeObjectURL(image.src);
    },
    { once: true },
  );
  print();
}
