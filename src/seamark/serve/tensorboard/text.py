"""Text as HTML: a string as it is, rows and tables as a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from starlette.responses import Response
from starlette.routing import Route

from seamark.kinds.safe_html import markdown_to_html, safe_html
from seamark.serve.tensorboard.catalogue import Catalogue
from seamark.serve.tensorboard.question import Question, as_json, route


def text_routes(catalogue: Catalogue) -> list[Route]:
    def tags(_: Question) -> Response:
        return as_json({run: list(by_tag) for run, by_tag in catalogue.series("text").items()})

    def text(question: Question) -> Response:
        """An unknown run or tag has no texts; TensorBoard makes no error of it."""
        info = catalogue.series("text").get(question.text("run"), {}).get(question.text("tag"))
        to_html = safe_html if question.optional("markdown") == "false" else markdown_to_html
        points = catalogue.points(info) if info is not None else ()
        return as_json(
            [
                {"wall_time": point.wall, "step": point.step, "text": html_of(point.content.strings, to_html)}
                for point in points
            ]
        )

    return [route("/plugin/text/tags", tags), route("/plugin/text/text", text)]


def html_of(strings: NDArray[Any], to_html: Callable[[str], str]) -> str:
    if strings.ndim == 0:
        return to_html(strings.item())
    warning = ""
    if strings.ndim > 2:
        # TensorBoard's sentence, its spaces included.
        warning = (
            f"<p><strong>Warning:</strong> This text summary contained data of dimensionality {strings.ndim}, "
            "but only   2d tables are supported. Showing a 2d slice of the data instead.</p>"
        )
        strings = strings[(0,) * (strings.ndim - 2)] if 0 not in strings.shape[:-2] else np.empty((0, 0), object)
    rows = strings[:, None] if strings.ndim == 1 else strings
    return warning + table([[to_html(cell) for cell in row] for row in rows])


def table(rows: list[list[str]]) -> str:
    """Of cells that are safe already."""
    lines = ["<tr>\n" + "".join(f"<td>{cell}</td>\n" for cell in row) + "</tr>\n" for row in rows]
    return f"<table>\n<tbody>\n{''.join(lines)}</tbody>\n</table>"
