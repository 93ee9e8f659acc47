"""Watch runs in a terminal, also over SSH: status, last values and curves, while they are written."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Mapping
from typing import Any

from seamark.cli.arguments import log_directory, state_notes
from seamark.cli.arguments.parser import add_logdir
from seamark.cli.arguments.run_source import source_named
from seamark.cli.output.text import printable
from seamark.cli.terminal.frame import SORTS, Choices, Facts, Look, frame, page_rows
from seamark.cli.terminal.screen import Screen, can_show
from seamark.cli.terminal.watched import Watched
from seamark.read.runs import suggestion
from seamark.store import RunStore

Notes = Mapping[str, Mapping[str, Any]]
# Between two redraws while runs are written; keys are handled at once.
LEAST_SECS = 0.2
WITHOUT_TERMINAL = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_logdir(parser)
    parser.add_argument("--metric", default="", metavar="TAG", help="metric to show (default: the objective)")
    parser.add_argument("--sort", choices=SORTS, default="started", help="column to sort by (default: started)")
    parser.add_argument("--reverse", action="store_true", help="reverse the order")
    parser.add_argument("--query", default="", metavar="EXPR", help="only runs that match")
    parser.add_argument(
        "--interval", type=float, default=1.0, metavar="SECS", help="time between two redraws (default: 1)"
    )
    parser.add_argument("--once", action="store_true", help="print once and exit, as without a terminal")
    log_directory.add_index_dir(parser)
    state_notes.add_state_dir(parser)


def run(args: argparse.Namespace) -> int:
    try:
        source = source_named(args.logdir)
        index_dir = log_directory.index_dir_if_there(args.index_dir, source.roots)
    except ValueError as error:
        return log_directory.refuse("top", error)
    choices = Choices(metric=args.metric, sort=args.sort, is_reversed=args.reverse, filter=args.query)
    look = look_of(sys.stdout.encoding or "ascii", is_screen=can_show(1, os.environ.get("TERM")))
    is_live = can_show(1, os.environ.get("TERM")) and not args.once
    is_read_only = args.index_dir is None  # an index that a server made is not written to
    with source.open_store(index_dir=index_dir, index_read_only=is_read_only, follow=is_live) as store:
        notes = state_notes.read(args.state_dir, source.roots)
        if is_live:
            return watch(store, notes, choices, look, max(args.interval, LEAST_SECS))
        store.wait_loaded()
        return print_once(Watched(store, notes), choices, look)


def look_of(encoding: str, *, is_screen: bool) -> Look:
    is_unicode = encoding.lower().replace("-", "") in ("utf8", "utf16", "utf32", "cp65001")
    return Look(is_unicode, is_coloured=is_screen and not os.environ.get("NO_COLOR"))


def print_once(watched: Watched, choices: Choices, look: Look) -> int:
    wanted = choices.metric
    facts = watched.refresh(choices)
    if not choices.problem and wanted and facts.total and wanted not in watched.metrics():
        choices.problem = printable(f"no run has the metric '{wanted}'{suggestion(wanted, watched.metrics())}")
    if choices.problem:
        print(f"seamark top: {choices.problem}", file=sys.stderr)
        return 2
    width = int(os.environ.get("COLUMNS") or 0) or WITHOUT_TERMINAL
    rows = watched.rows(choices, facts.matched, width)
    lines = frame(rows, facts, choices, width=width, height=len(rows) + 3, look=look)
    for line in lines[:-1]:  # without the line of keys
        print(line.rstrip())
    return 0


def watch(store: RunStore, notes: Notes, choices: Choices, look: Look, interval_secs: float) -> int:
    """Redraws after a change, a key, a resize, or `interval_secs`."""
    with Screen().shown() as screen:
        screen.draw(["seamark top  reading"])  # thousands of runs take a moment
        watched = Watched(store, notes)
        subscription = store.subscribe(screen.wake)
        try:
            while True:
                subscription.get(0.0)
                facts, drawn_at = watched.refresh(choices), time.monotonic()
                draw(screen, watched, facts, choices, look)
                pressed = screen.keys(interval_secs)
                if pressed == []:
                    # Runs may change many times a second; people do not read faster than this.
                    pressed = screen.keys(LEAST_SECS - (time.monotonic() - drawn_at))
                if pressed is None or not all(press(key, choices, watched, facts, screen) for key in pressed):
                    return 0
        finally:
            subscription.close()


def draw(screen: Screen, watched: Watched, facts: Facts, choices: Choices, look: Look) -> None:
    width, height = screen.size()
    choices.first = max(0, min(choices.first, facts.matched - page_rows(height)))
    rows = watched.rows(choices, page_rows(height), width)
    screen.draw(frame(rows, facts, choices, width=width, height=height, look=look))


def press(key: str, choices: Choices, watched: Watched, facts: Facts, screen: Screen) -> bool:
    """Returns False if the key quits."""
    if choices.typed is not None:
        type_filter(key, choices)
        return True
    if choices.is_help:
        choices.is_help = False
        return key != "q"
    page = page_rows(screen.size()[1])
    moves = {"down": 1, "j": 1, "up": -1, "k": -1, "page_down": page, " ": page, "page_up": -page}
    if key == "q":
        return False
    if key in moves:
        choices.first = max(0, min(choices.first + moves[key], facts.matched - page))
    elif key in ("home", "g", "end", "G"):
        choices.first = 0 if key in ("home", "g") else max(0, facts.matched - page)
    elif key in ("m", "M", "right", "left"):
        choose_metric(1 if key in ("m", "right") else -1, choices, watched)
    elif key == "s":
        choices.sort = SORTS[(SORTS.index(choices.sort) + 1) % len(SORTS)]
    elif key == "r":
        choices.is_reversed = not choices.is_reversed
    elif key == "/":
        choices.typed = choices.filter
    elif key == "?":
        choices.is_help = True
    elif key == "escape":
        choices.filter = ""
    return True


def type_filter(key: str, choices: Choices) -> None:
    assert choices.typed is not None
    if key == "enter":
        choices.filter, choices.typed, choices.first = choices.typed.strip(), None, 0
    elif key == "escape":
        choices.typed = None
    elif key == "backspace":
        choices.typed = choices.typed[:-1]
    elif len(key) == 1:
        choices.typed += key


def choose_metric(step: int, choices: Choices, watched: Watched) -> None:
    metrics = watched.metrics()
    if metrics:
        at = metrics.index(choices.metric) + step if choices.metric in metrics else 0
        choices.metric = metrics[at % len(metrics)]
