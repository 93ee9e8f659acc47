"""The key of a request in a site's index; web/src/data/site/request_key.ts makes the same one in the page."""

from __future__ import annotations

import json
from collections.abc import Iterable
from urllib.parse import urlencode

Parameters = Iterable[tuple[str, object]]
# A wall time identifies content for caches; an empty or false value is the same as none.
IGNORED = frozenset({"wall"})
DEFAULTS = frozenset({"", "false"})


def get_key(path: str, parameters: Parameters = ()) -> str:
    kept = [(name, text) for name, value in parameters if (text := word(value)) not in DEFAULTS and name not in IGNORED]
    # Sorted by name alone: the order of repeated parameters counts.
    kept.sort(key=lambda pair: pair[0])
    return "\0".join([f"GET {path}", *(f"{name}={text}" for name, text in kept)])


def post_key(path: str, body: object) -> str:
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"POST {path}\0{text}"


def address_of(path: str, parameters: Parameters = ()) -> str:
    query = urlencode([(name, word(value)) for name, value in parameters], errors="surrogatepass")
    return f"{path}?{query}" if query else path


def word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
