"""A report as one HTML file: no script, nothing from elsewhere, for reading and for printing."""

from __future__ import annotations

import base64
import hashlib
import html
import io
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from seamark.compare import RunTable
from seamark.format.types import RunName, Tag
from seamark.kinds import DecodeError, decode
from seamark.kinds.image import Images
from seamark.kinds.markdown.rich_text import rich_html
from seamark.store import PayloadGoneError, RunStore, UnknownSeriesError
from seamark.team.together.blocks import (
    Block,
    BrokenBlock,
    ChartBlock,
    ImagesBlock,
    TableBlock,
    TextBlock,
    parse_report,
)
from seamark.team.together.chart_svg import chart_svg
from seamark.team.together.chosen_runs import chosen_runs
from seamark.team.together.reports import Report

# The first colours of runs on the page, in its light and its dark theme.
COLOURS = (
    ("#1f6cb0", "#63a8ed"),
    ("#b77610", "#f4b363"),
    ("#901308", "#d15d4d"),
    ("#708df7", "#c0d0fd"),
    ("#673b63", "#a2749d"),
    ("#be4673", "#fe87ae"),
    ("#50349c", "#8673d9"),
    ("#7c6628", "#b7a167"),
    ("#519962", "#90d59e"),
    ("#2b8593", "#71c1cf"),
    ("#176a53", "#5ea58d"),
    ("#787bd2", "#b5bbff"),
)
MAX_IMAGES = 60
MAX_IMAGE_BYTES = 20 << 20
DEFAULT_COLUMNS = ("status", "duration")
STYLE = (
    "".join(f".c{at}{{stroke:light-dark({light},{dark})}}" for at, (light, dark) in enumerate(COLOURS))
    + """
:root{color-scheme:light dark;font:16px/1.55 system-ui,sans-serif}
body{max-width:46rem;margin:2rem auto;padding:0 1rem}
h1{line-height:1.2}figure{margin:1.5rem 0;break-inside:avoid}figcaption{font-weight:600;margin-bottom:.25rem}
figure svg[role]{width:100%;height:auto}svg text{font-size:11px;fill:currentColor;opacity:.75}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:.25rem 0;padding:0;font-size:.85rem}
table,.pictures{margin:1.5rem 0}table{border-collapse:collapse;font-size:.9rem;display:block;overflow-x:auto}
th,td{border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent);padding:.3rem .6rem;text-align:left}
img{max-width:100%;image-rendering:auto}pre{overflow-x:auto}
.pictures{display:flex;flex-wrap:wrap;gap:1rem}.pictures figure{margin:0}
.pictures figcaption{font-weight:400;font-size:.85rem}
.broken{border-left:3px solid #c94a5a;padding-left:.75rem}.about{opacity:.7;font-size:.85rem}
@media print{body{max-width:none;margin:0}}
"""
)


def report_html(
    report: Report, store: RunStore, notes: Mapping[str, Mapping[str, Any]], *, address: str, now: float | None = None
) -> str:
    """Everything that people wrote or logged is text, or HTML that the renderer of notes made safe."""
    drawing = Drawing(store, notes)
    parts = [drawing.html_of(block) for block in parse_report(report.body)]
    style_hash = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode("ascii")
    policy = f"default-src 'none'; style-src 'sha256-{style_hash}'; img-src data:; base-uri 'none'; form-action 'none'"
    made = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(now))
    about = f"Version {report.version}, saved by {report.author}. Exported {made} from {address}."
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy, quote=True)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{html.escape(report.title)}</title><style>{STYLE}</style></head><body>"
        f'<h1>{html.escape(report.title)}</h1><p class="about">{html.escape(about)}</p>'
        f"{''.join(parts)}</body></html>\n"
    )


class Drawing:
    def __init__(self, store: RunStore, notes: Mapping[str, Mapping[str, Any]]) -> None:
        self._store = store
        self._notes = notes
        self._images_left, self._bytes_left = MAX_IMAGES, MAX_IMAGE_BYTES

    def html_of(self, block: Block) -> str:
        match block:
            case TextBlock():
                return rich_html(block.markdown)
            case BrokenBlock():
                return broken(block)
            case ChartBlock():
                return self._with_runs(block, lambda runs: self._charts(block, runs))
            case TableBlock():
                return self._with_runs(block, lambda runs: self._table(block, runs))
            case ImagesBlock():
                return self._with_runs(block, lambda runs: "".join(self._images(block, runs)))

    def _with_runs(self, block: ChartBlock | TableBlock | ImagesBlock, draw: Callable[[list[RunName]], str]) -> str:
        runs = chosen_runs(block, self._store)
        if isinstance(runs, BrokenBlock):
            return broken(runs)
        title = f"<h3>{html.escape(block.title)}</h3>" if block.title else ""
        return title + draw(runs)

    def _charts(self, block: ChartBlock, runs: list[RunName]) -> str:
        drawn = [chart_svg(self._store, runs, tag, block, colours=len(COLOURS)) for tag in block.tags]
        missing = [tag for tag, svg in zip(block.tags, drawn, strict=True) if not svg]
        return "".join(drawn) + "".join(broken(BrokenBlock(tag, "none of the runs has this tag")) for tag in missing)

    def _table(self, block: TableBlock, runs: list[RunName]) -> str:
        table = RunTable(self._store, self._notes)
        names = block.columns or list(DEFAULT_COLUMNS)
        rows = np.array([row for run in runs if (row := table.place_of(run)) is not None], np.intp)
        try:
            with table.hold():
                columns = [table.column(table.resolve(name)).cells(rows) for name in names]
        except (KeyError, ValueError) as error:
            return broken(BrokenBlock(", ".join(names), str(error).strip("'\"")))
        lines = zip(table.names_of(rows.tolist()), *columns, strict=True)
        body = "".join(table_row("td", [run, *map(cell_text, cells)]) for run, *cells in lines)
        return f"<table><thead>{table_row('th', ['run', *names])}</thead><tbody>{body}</tbody></table>"

    def _images(self, block: ImagesBlock, runs: list[RunName]) -> Iterator[str]:
        yield '<div class="pictures">'
        for run in runs:
            for tag in block.tags:
                yield from self._images_of(block, run, tag)
        yield "</div>"
        if self._images_left <= 0 or self._bytes_left <= 0:
            yield broken(BrokenBlock(", ".join(block.tags), f"the report has more than {MAX_IMAGES} images or 20 MB"))

    def _images_of(self, block: ImagesBlock, run: RunName, tag: str) -> Iterator[str]:
        try:
            listed = self._store.payloads(run, Tag(tag), "images")
            steps = listed.steps.tolist()
            if not steps or (block.step is not None and block.step not in steps):
                return
            at = len(steps) - 1 if block.step is None else steps.index(block.step)
            found = decode("images", self._store.payload(run, Tag(tag), "images", int(listed.index[at])))
        except (UnknownSeriesError, PayloadGoneError, DecodeError):
            return
        for picture in found.images if isinstance(found, Images) else ():
            data = as_png(picture.data)
            if data is None or self._images_left <= 0 or self._bytes_left < len(data):
                self._images_left = 0 if data is not None else self._images_left
                continue
            self._images_left -= 1
            self._bytes_left -= len(data)
            caption = html.escape(f"{run} · {tag} · step {steps[at]}")
            source = base64.b64encode(data).decode("ascii")
            yield (
                f'<figure><img src="data:image/png;base64,{source}" alt="{caption}">'
                f"<figcaption>{caption}</figcaption></figure>"
            )


def as_png(data: bytes) -> bytes | None:
    """Decoded and encoded again: only pixels of a logged file are in the report. Of a film the first frame."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data)) as image:
            out = io.BytesIO()
            image.convert("RGBA").save(out, "PNG")
            return out.getvalue()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None


def broken(block: BrokenBlock) -> str:
    return f'<p class="broken">{html.escape(block.problem)}: <code>{html.escape(block.source[:500])}</code></p>'


def table_row(element: str, cells: list[str]) -> str:
    return f"<tr>{''.join(f'<{element}>{html.escape(cell)}</{element}>' for cell in cells)}</tr>"


def cell_text(cell: object) -> str:
    if cell is None:
        return ""
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)
