"""What a browser loads before the first chart."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import seamark.serve

STATIC = Path(seamark.serve.__file__).parent / "static"
MAX_STARTUP_BYTES = 130_000
# The theme, before anything is drawn, and the page. Each is a request.
MAX_STARTUP_SCRIPTS = 2


def startup_scripts() -> list[Path]:
    """The page's scripts, and those that they import before anything runs."""
    page = (STATIC / "index.html").read_text()
    return [
        STATIC / name
        for name in re.findall(r'<(?:script|link rel="modulepreload")[^>]* (?:src|href)="\./([^"]+)"', page)
    ]


def test_the_page_of_a_server_loads_nothing_that_opens_a_site() -> None:
    """What says that a site is encrypted is in a file of its own, which only the page of a site loads."""
    texts = {path.name: path.read_text() for path in (STATIC / "assets").glob("*.js")}
    with_sites = {name for name, text in texts.items() if "This site is encrypted" in text}
    assert with_sites and not with_sites & {path.name for path in startup_scripts()}


def test_local_use_loads_nothing_of_the_pages_of_a_team() -> None:
    """What every page of a team requests is in its own files, which the page of a team server loads."""
    texts = {path.name: path.read_text() for path in (STATIC / "assets").glob("*.js")}
    with_team = {name for name, text in texts.items() if "team/api/" in text}
    assert with_team and not with_team & {path.name for path in startup_scripts()}


def test_startup_scripts_stay_within_their_budget() -> None:
    sizes = {path.name: len(gzip.compress(path.read_bytes(), 9)) for path in startup_scripts()}
    assert 0 < len(sizes) <= MAX_STARTUP_SCRIPTS
    assert sum(sizes.values()) <= MAX_STARTUP_BYTES, sizes
