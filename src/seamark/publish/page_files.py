"""The files of the page in a site: the same bundle that the server sends, with an index.html for static hosts."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from seamark.serve.http.security import CONTENT_POLICY
from seamark.serve.page import STATIC, TITLE

INDEX = "index.html"
# The report's page, the types for writers of dashboards, and what only the build reads.
LEFT_OUT = ("report/", "seamark-plugin.d.ts", "sources.sha256")
API_PRELOAD = re.compile(r'\s*<link rel="preload" as="fetch"[^>]*>')
# The module that opens a site: every further step of the way to the first chart waits for it.
OPENER = "assets/unlock-*.js"
CHARSET = '<meta charset="utf-8" />'
# GitHub Pages leaves out files whose names begin with "_" unless this file is there.
NO_JEKYLL = ".nojekyll"


class NoPageError(RuntimeError):
    """The page was not built: this is a source tree, not an installation."""


def page_files(title: str, folder: Path = STATIC) -> Iterator[tuple[str, bytes]]:
    """Names and contents; index.html last, because it refers to the others."""
    if not (folder / INDEX).is_file():
        raise NoPageError("the page is not built; install a release, or run `make web`")
    yield NO_JEKYLL, b""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name != INDEX and not name.startswith(LEFT_OUT):
            yield name, path.read_bytes()
    opener = sorted(path.relative_to(folder).as_posix() for path in folder.glob(OPENER))
    yield INDEX, site_page((folder / INDEX).read_text(encoding="utf-8"), title, preloads=opener).encode()


def site_page(page: str, title: str, *, preloads: Sequence[str] = ()) -> str:
    """A static host sends no headers, so the policy is in the page; and there is no API to load from.

    `preloads` are modules that the page imports at once on a site, and only there.
    """
    metas = [
        CHARSET,
        f'<meta http-equiv="Content-Security-Policy" content="{html.escape(CONTENT_POLICY)}" />',
        '<meta name="referrer" content="no-referrer" />',
        '<meta name="site-manifest" content="site.json" />',
        *(f'<link rel="modulepreload" crossorigin href="./{html.escape(name)}" />' for name in preloads),
    ]
    page = API_PRELOAD.sub("", page).replace(CHARSET, "\n    ".join(metas), 1)
    return TITLE.sub(lambda _: f"<title>{html.escape(title)}</title>", page, count=1)
