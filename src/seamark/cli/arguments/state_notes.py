"""Names, notes and tags that were saved on the page, read for commands."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from seamark.store import LogRoot


def add_state_dir(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--state_dir", metavar="DIR", help="where names, notes and tags are saved (default: in your data directory)"
    )


def read(state_dir: str | None, roots: Sequence[LogRoot]) -> Mapping[str, Mapping[str, Any]]:
    """By run: label, tags, note, star, archived. Empty if there is no saved state, or it cannot be read."""
    from seamark.serve.state.state import State, default_state_dir
    from seamark.serve.state.storage import StateUnavailableError

    folder = default_state_dir() if state_dir is None else Path(state_dir)
    if state_dir == "none" or not (folder / "state.sqlite").exists():
        return {}
    state = State(folder, roots, can_repair=False)
    try:
        runs: Mapping[str, Mapping[str, Any]] = state.read()["runs"]
        return runs
    except StateUnavailableError as error:
        print(f"seamark: {error}", file=sys.stderr)
        return {}
    finally:
        state.close()
