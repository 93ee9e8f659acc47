import { expect, test } from "vitest";
import type { TableColumn } from "$public/tables";
import { csvText, escaped, jsonText, latexText } from "./files";

const HOSTILE = 'a,"b"\n<script>_50%$&{}\\^~';
const column = (id: string, type: TableColumn["type"], values: TableColumn["values"]): TableColumn => ({
  id,
  type,
  values,
  low: null,
  high: null,
});
const SHOWN = {
  names: [HOSTILE, "first"],
  columns: [
    column("param:lr", "number", [NaN, 0.00012345678901234567]),
    column("param:opt", "text", [null, "a_b"]),
    column("metric:val/loss:min", "number", [5, 0.123456789]),
  ],
  objective: { id: "metric:val/loss:min", goal: "min" as const },
};

test("CSV has every digit, and quotes what needs it", () => {
  expect(csvText(SHOWN)).toBe(
    'trial,lr,opt,val/loss min\r\n"a,""b""\n<script>_50%$&{}\\^~",NaN,,5\r\nfirst,0.00012345678901234567,a_b,0.123456789\r\n',
  );
});

test("JSON tells parameters from metrics and has words for what JSON cannot say", () => {
  const trials = JSON.parse(jsonText(SHOWN)) as {
    trial: string;
    params: Record<string, unknown>;
    metrics: Record<string, unknown>;
  }[];
  expect(trials[0]).toEqual({ trial: HOSTILE, params: { lr: "NaN", opt: null }, metrics: { "val/loss.min": 5 } });
  expect(trials[1]!.params.lr).toBe(0.00012345678901234567);
});

test("LaTeX compiles whatever the names hold, and the best is bold", () => {
  const text = latexText(SHOWN);
  expect(text).toContain("\\begin{tabular}{lrlr}");
  expect(text).toContain("first & $1.235 \\cdot 10^{-4}$ & a\\_b & \\textbf{$0.1235$} \\\\");
  expect(text).toContain(" & NaN & -- & $5$ \\\\");
  expect(escaped(HOSTILE)).toBe(
    'a,"b" \\textless{}script\\textgreater{}\\_50\\%\\$\\&\\{\\}\\textbackslash{}\\textasciicircum{}\\textasciitilde{}',
  );
});
