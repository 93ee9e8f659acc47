"""The argument parser of all commands, and the log directory as a positional argument."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from seamark.cli.arguments.config_file import add_config
from seamark.clickhouse.address import is_address

LOGDIR_HELP = "folder with event files; several as a,b or name:path,name:path, or a pattern"


class UsageError(ValueError):
    """The arguments are invalid; the message is one sentence."""


class ArgumentParser(argparse.ArgumentParser):
    """Raises UsageError instead of printing the usage of every flag."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see {self.prog} --help")


def add_logdir(parser: argparse.ArgumentParser) -> None:
    """Adds `DIR` and `--logdir DIR`. Without either, the settings file names the log directory."""
    add_folder(parser)
    parser.add_argument("--logdir", metavar="DIR", help=LOGDIR_HELP)
    add_config(parser)


def add_folder(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("folder_word", nargs="?", metavar="DIR", help="the same as --logdir DIR")


def settle_logdir(parser: argparse.ArgumentParser, args: argparse.Namespace, words: Sequence[str]) -> None:
    """Sets `args.logdir` from the positional argument, if there is one. UsageError if the folder is given twice."""
    if not hasattr(args, "folder_word"):
        return
    is_named = any(word == "--logdir" or word.startswith("--logdir=") for word in words)
    if args.folder_word is None and not is_named:
        take_folder_from_others(args)
    if args.folder_word is not None:
        if is_named:
            raise UsageError(f"unexpected argument '{args.folder_word}': --logdir already names the log directory")
        args.logdir = args.folder_word
    if args.logdir is None and not hasattr(args, "logdir_spec"):
        raise UsageError(f"no log directory given: add it as {parser.prog} … DIR, or with --logdir DIR")


def take_folder_from_others(args: argparse.Namespace) -> None:
    """The word in `query DIR` and the last one in `diff RUN RUN DIR` name the log directory if it exists."""
    if getattr(args, "query_word", None) and names_runs(args.query_word):
        args.folder_word, args.query_word = args.query_word, ""
    runs = getattr(args, "run_words", None)
    if runs and args.logdir is None and names_runs(runs[-1]):
        args.folder_word = runs.pop()


def names_runs(word: str) -> bool:
    return is_address(word) or Path(word).is_dir()
