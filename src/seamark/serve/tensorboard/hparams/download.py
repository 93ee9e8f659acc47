"""The table of session groups as JSON, CSV or LaTeX."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence
from itertools import compress

from starlette.responses import Response

from seamark.kinds.hparams import HParamValue
from seamark.plugin import RequestError, json_response
from seamark.serve.tensorboard.hparams.experiment import Experiment
from seamark.serve.tensorboard.hparams.session_groups import SessionGroup
from seamark.serve.tensorboard.request import text_response

LATEX_ESCAPES = str.maketrans(
    {
        "_": r"\_",
        "%": r"\%",
        "&": r"\&",
        "#": r"\#",
        "$": r"\$",
        "{": r"\{",
        "}": r"\}",
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
    }
)


def table_response(
    experiment: Experiment, groups: Iterable[SessionGroup], visible: Sequence[bool], form: str
) -> Response:
    names = [hparam.display_name or hparam.name for hparam in experiment.hparams]
    names += [metric.display_name or metric.name.tag for metric in experiment.metrics]
    header = list(compress(names, visible))
    rows = [list(compress(cells(experiment, group), visible)) for group in groups]
    match form:
        case "json":
            return json_response({"header": header, "rows": rows})
        case "csv":
            out = io.StringIO()
            csv.writer(out).writerows([header, *rows])
            return text_response(out.getvalue(), "text/csv")
        case "latex":
            return text_response(latex(header, rows), "application/x-latex")
    raise RequestError(f"the parameter 'format' is one of json, csv, latex, got '{form}'")


def cells(experiment: Experiment, group: SessionGroup) -> list[HParamValue]:
    """A missing hyperparameter is "", a missing metric None."""
    hparams = [group.hparams.get(hparam.name) for hparam in experiment.hparams]
    given = ["" if value is None or isinstance(value, list | dict) else value for value in hparams]
    return [*given, *(group.value_of(metric.name) for metric in experiment.metrics)]


def latex(header: list[str], rows: list[list[HParamValue]]) -> str:
    lines = [
        r"\begin{table}[tbp]",
        rf"\begin{{tabular}}{{{'l' * len(header)}}}",
        latex_row(header) + r" \hline",
        *(latex_row(row) for row in rows),
        r"\hline",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def latex_row(row: Sequence[HParamValue]) -> str:
    return " & ".join(latex_cell(value) for value in row) + r" \\"


def latex_cell(value: HParamValue) -> str:
    if value is None:
        return "-"
    if not isinstance(value, float):
        return f"${int(value)}$" if isinstance(value, bool) else str(value).translate(LATEX_ESCAPES)
    if math.isnan(value):
        return r"$\mathrm{NaN}$"
    if math.isinf(value):
        return rf"${'+' if value > 0 else '-'}\infty$"
    mantissa, e, exponent = f"{value:.3g}".partition("e")
    return rf"${mantissa}\cdot 10^{{{int(exponent)}}}$" if e else f"${mantissa}$"
