"""Logging of the commands: the `seamark` logger, one line per problem on stderr."""

from __future__ import annotations

import argparse
import logging
import sys

LEVELS: dict[str, int] = {
    name: getattr(logging, name.upper()) for name in ("debug", "info", "warning", "error", "critical")
}
# TensorBoard's --verbosity takes these numbers.
ABSL_LEVELS = {
    "1": logging.DEBUG,
    "0": logging.INFO,
    "-1": logging.WARNING,
    "-2": logging.ERROR,
    "-3": logging.CRITICAL,
}


def add_verbosity(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--verbosity",
        type=log_level,
        default=logging.WARNING,
        metavar="LEVEL",
        help="what to log on stderr: debug, info, warning, error or critical, or TensorBoard's 1 to -3 "
        "(default: warning)",
    )


def log_level(text: str) -> int:
    found = LEVELS.get(text.lower(), ABSL_LEVELS.get(text))
    if found is None:
        raise argparse.ArgumentTypeError(f"want one of {', '.join(LEVELS)}, or a number from 1 to -3, got '{text}'")
    return found


class _OneLineFormatter(logging.Formatter):
    """Tracebacks are for errors, which are bugs, and for `--verbosity debug`; a warning names the exception only."""

    def format(self, record: logging.LogRecord) -> str:
        is_short = record.exc_info and record.levelno < logging.ERROR
        if not is_short or logging.getLogger("seamark").isEnabledFor(logging.DEBUG):
            return super().format(record)
        error = record.exc_info[1] if record.exc_info else None
        return f"seamark: {record.levelname}: {record.getMessage()} ({type(error).__name__}: {error})"


class _StderrHandler(logging.StreamHandler):  # type: ignore[type-arg]
    """Writes to the stderr of the moment: tests and notebooks replace it."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)
        self.setFormatter(_OneLineFormatter("seamark: %(levelname)s: %(message)s"))

    @property
    def stream(self):  # type: ignore[no-untyped-def]
        return sys.stderr


_HANDLER = _StderrHandler()


def set_up_logging(level: int) -> None:
    logger = logging.getLogger("seamark")
    logger.setLevel(level)
    if _HANDLER not in logger.handlers:
        logger.addHandler(_HANDLER)
