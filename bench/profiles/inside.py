"""Reads a trace in a process of its own and prints the seconds until its overview is there, without the imports.

python -m bench.profiles.inside FILE
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from seamark.cli import tune_process

tune_process()  # before NumPy is loaded, as in the server

from seamark.profiles.analyses.overview import find_overview  # noqa: E402
from seamark.profiles.cache.opening import ProfileOpener  # noqa: E402
from seamark.profiles.window import find_slices  # noqa: E402


def main() -> None:
    with tempfile.TemporaryDirectory() as cache:
        begun = time.perf_counter()
        profile = ProfileOpener(Path(cache)).open(Path(sys.argv[1]))
        steps = len(profile.get(find_overview).steps)
        profile.get(find_slices)  # what the first window of the trace needs
        print(time.perf_counter() - begun, steps)


if __name__ == "__main__":
    main()
