"""Serves a folder as a static web host does, for tests of published sites: with or without byte ranges."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

RANGE = re.compile(r"bytes=(\d+)-(\d+)")


class PlainHandler(SimpleHTTPRequestHandler):
    """As `python -m http.server`: ignores ranges. Records the requested paths."""

    server: StaticHost

    def do_GET(self) -> None:
        self.server.paths.append(self.path)
        super().do_GET()

    def log_message(self, format: str, *args: object) -> None:
        """Silent."""


class RangeHandler(PlainHandler):
    """Answers ranges, as nginx and object storage do."""

    def do_GET(self) -> None:
        found = RANGE.fullmatch(self.headers.get("range", ""))
        path = Path(self.translate_path(self.path))
        if found is None or not path.is_file():
            super().do_GET()
            return
        self.server.paths.append(self.path)
        content = path.read_bytes()
        start, stop = int(found[1]), min(int(found[2]) + 1, len(content))
        self.send_response(206)
        self.send_header("content-type", self.guess_type(str(path)))
        self.send_header("content-range", f"bytes {start}-{stop - 1}/{len(content)}")
        self.send_header("content-length", str(stop - start))
        self.end_headers()
        self.wfile.write(content[start:stop])


class StaticHost(ThreadingHTTPServer):
    daemon_threads = True
    # A browser opens several connections at once; with the usual five waiting, a busy machine resets some.
    request_queue_size = 128

    def __init__(self, folder: Path, handler: type[PlainHandler]) -> None:
        self.paths: list[str] = []
        super().__init__(("127.0.0.1", 0), partial(handler, directory=str(folder)))


@contextmanager
def hosted(folder: Path, *, has_ranges: bool = True) -> Iterator[tuple[str, StaticHost]]:
    """Yields the address of the folder, and the server."""
    host = StaticHost(folder, RangeHandler if has_ranges else PlainHandler)
    thread = threading.Thread(target=host.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{host.server_address[1]}/", host
    finally:
        host.shutdown()
        thread.join()
        host.server_close()
