"""The `seamark` command. Every module here that has `add_arguments` and `run` is a subcommand of its name.

seamark runs                 is short for  seamark serve --logdir runs
seamark inspect --logdir D   runs cli/inspect.py
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

from seamark.cli import config
from seamark.cli.arguments import ArgumentParser, UsageError, settle_logdir
from seamark.cli.config import ConfigError

DEFAULT_COMMAND = "serve"


# Nothing here multiplies matrices, but NumPy's library for that starts a thread per core, which spin.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Modules and runs are made in great number at the start and stay: looking through them for rubbish every 700 objects
# is a tenth of that start.
gc.set_threshold(50_000, 20, 20)


def main(argv: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if argv is None else argv)
    if not words and config.is_here():
        words = [DEFAULT_COMMAND]  # the file says what to show
    if not words or words[0] in ("-h", "--help"):
        print(overview())
        return 0
    if words[0] == "--version":
        from seamark import __version__

        print(f"seamark {__version__}")
        return 0
    name = DEFAULT_COMMAND if is_served(words[0]) else words.pop(0)
    module = command_named(name)
    if module is None:
        print(
            f"seamark: no command or folder called '{name}'; the commands are {', '.join(commands())}", file=sys.stderr
        )
        return 2
    parser = parser_of(name, module)
    try:
        return int(module.run(parsed(parser, words)))
    except UsageError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    except ConfigError as error:
        print(f"seamark: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of a pipe has seen enough (`| head`). Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def is_served(word: str) -> bool:
    """Whether the first word is a flag or a folder of `seamark serve` and not a command."""
    return word.startswith("-") or (command_named(word) is None and ("/" in word or Path(word).is_dir()))


def parsed(parser: argparse.ArgumentParser, words: Sequence[str]) -> argparse.Namespace:
    """The flags, over the settings from a file where the command has --config."""
    file = config.apply(parser, words) if "--config" in parser._option_string_actions else None
    # Words may stand between flags: `query EXPR --limit 3 DIR`.
    args = parser.parse_intermixed_args(words)
    args.config_file = file
    settle_logdir(parser, args, words)
    return args


def commands() -> dict[str, ModuleType]:
    """Every subcommand by name; imports them all, so only help asks for it."""
    found = ((entry.name.rstrip("_"), command_named(entry.name)) for entry in iter_modules(__path__))
    return {name: module for name, module in found if module is not None}


def command_named(name: str) -> ModuleType | None:
    """By file; where the name is a word of Python itself, as `import` is, the file has an underscore behind it."""
    file = f"{name}_" if iskeyword(name) else name
    if file not in {entry.name for entry in iter_modules(__path__)}:
        return None
    module = import_module(f"{__name__}.{file}")
    return module if hasattr(module, "run") and hasattr(module, "add_arguments") else None


def parser_of(name: str, module: ModuleType) -> argparse.ArgumentParser:
    # Abbreviated flags would stop working the day a longer one with the same start is added.
    parser = ArgumentParser(prog=f"seamark {name}", description=module.__doc__, allow_abbrev=False)
    module.add_arguments(parser)
    return parser


def overview() -> str:
    lines = [f"  {name:<10} {(module.__doc__ or '').strip().splitlines()[0]}" for name, module in commands().items()]
    return "\n".join(
        [
            "usage: seamark DIR                 show the runs in DIR in the browser",
            "       seamark COMMAND …           one of the commands below",
            "",
            *lines,
            "",
            "`seamark COMMAND --help` shows the flags of a command.",
        ]
    )
