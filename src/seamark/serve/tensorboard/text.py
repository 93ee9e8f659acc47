"""Routes of text as HTML: a string as it is, lists and tables as a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.kinds.markdown.safe_html import markdown_to_html, safe_html
from seamark.plugin import Endpoint, ParsedRequest
from seamark.serve.tensorboard.catalogue import Catalogue
from seamark.serve.tensorboard.request import SeriesParameters, TensorBoardParameters


class TextParameters(SeriesParameters):
    markdown: str = "true"


def text_endpoints(catalogue: Catalogue) -> list[Endpoint]:
    def tags(_: ParsedRequest[TensorBoardParameters, None]) -> dict[str, list[str]]:
        return {run: list(by_tag) for run, by_tag in catalogue.series("text").items()}

    def text(request: ParsedRequest[TextParameters, None]) -> list[dict[str, object]]:
        """As in TensorBoard, an unknown run or tag is no error."""
        parameters = request.parameters
        info = catalogue.series("text").get(parameters.run, {}).get(parameters.tag)
        to_html = safe_html if parameters.markdown == "false" else markdown_to_html
        points = catalogue.points(info) if info is not None else ()
        return [
            {"wall_time": point.wall, "step": point.step, "text": strings_to_html(point.content.strings, to_html)}
            for point in points
        ]

    return [
        Endpoint(path="/plugin/text/tags", summary="The tags of each run.", handler=tags),
        Endpoint(
            path="/plugin/text/text",
            summary="The texts of a series at each step, as HTML.",
            handler=text,
        ),
    ]


def strings_to_html(strings: NDArray[Any], to_html: Callable[[str], str]) -> str:
    if strings.ndim == 0:
        return to_html(strings.item())
    warning = ""
    if strings.ndim > 2:
        # TensorBoard's sentence, including its spaces.
        warning = (
            f"<p><strong>Warning:</strong> This text summary contained data of dimensionality {strings.ndim}, "
            "but only   2d tables are supported. Showing a 2d slice of the data instead.</p>"
        )
        strings = strings[(0,) * (strings.ndim - 2)] if 0 not in strings.shape[:-2] else np.empty((0, 0), object)
    rows = strings[:, None] if strings.ndim == 1 else strings
    return warning + table_html([[to_html(cell) for cell in row] for row in rows])


def table_html(rows: list[list[str]]) -> str:
    """The cells are HTML already."""
    lines = ["<tr>\n" + "".join(f"<td>{cell}</td>\n" for cell in row) + "</tr>\n" for row in rows]
    return f"<table>\n<tbody>\n{''.join(lines)}</tbody>\n</table>"
