"""The `seamark` command. Every module in cli/commands is a subcommand of its name.

seamark runs                 is short for  seamark serve --logdir runs
seamark inspect --logdir D   runs cli/commands/inspect.py
"""

from __future__ import annotations

import argparse
import gc
import os
import shlex
import sys
from collections.abc import Sequence
from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

from seamark.cli import commands as command_package
from seamark.cli.arguments import config_file
from seamark.cli.arguments.config_file import ConfigError
from seamark.cli.arguments.parser import ArgumentParser, UsageError, settle_logdir
from seamark.cli.log_setup import add_verbosity, set_up_logging
from seamark.cli.output.text import printable

DEFAULT_COMMAND = "serve"


def main(argv: Sequence[str] | None = None) -> int:
    if argv is None:  # not for callers with a process of their own
        tune_process()
    words = list(sys.argv[1:] if argv is None else argv)
    if not words and config_file.is_here():
        words = [DEFAULT_COMMAND]  # the file names the log directory
    if not words or words[0] in ("-h", "--help"):
        print(overview())
        return 0
    if words[0] == "--version":
        from seamark.version import __version__

        print(f"seamark {__version__}")
        return 0
    name = DEFAULT_COMMAND if is_served(words[0]) else words.pop(0)
    module = command_named(name)
    if module is None:
        names = ", ".join(all_commands())
        print(f"seamark: no command or folder called '{name}'; the commands are {names}", file=sys.stderr)
        print(f"to serve a folder that does not exist yet: seamark --logdir {shlex.quote(name)}", file=sys.stderr)
        return 2
    return run_command(parser_of(name, module), module, words)


def tune_process() -> None:
    """Settings of the whole process that make starting faster."""
    # OpenBLAS starts a spinning thread per core when NumPy is imported; embeddings have threads of their own.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Most objects made at the start live until the end; collecting every 700 objects takes a tenth of the start.
    gc.set_threshold(50_000, 20, 20)


def run_command(parser: argparse.ArgumentParser, module: ModuleType, words: Sequence[str]) -> int:
    try:
        args = parsed(parser, words)
        set_up_logging(args.verbosity)
        return int(module.run(args))
    except UsageError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    except ConfigError as error:
        print(f"seamark: {error}", file=sys.stderr)
        return 2
    except store_errors() as error:
        print(f"{parser.prog}: {printable(str(error))}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader closed the pipe (`| head`). Without this, Python reports the error again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def store_errors() -> tuple[type[Exception], ...]:
    """What a database says that cannot be asked. Called only after an error: most commands have none."""
    from seamark.clickhouse.client import QueryError
    from seamark.store import NotSupportedError, StoreUnavailableError

    return (StoreUnavailableError, NotSupportedError, QueryError)


def is_served(word: str) -> bool:
    """Whether the first word is a flag or a folder for `seamark serve`, not a command."""
    return word.startswith("-") or (command_named(word) is None and ("/" in word or Path(word).is_dir()))


def parsed(parser: argparse.ArgumentParser, words: Sequence[str]) -> argparse.Namespace:
    """The flags, over the settings from a file if the command has --config."""
    has_config = "--config" in parser._option_string_actions
    file = config_file.apply(parser, words, serve_flags=serve_flags) if has_config else None
    # Positional arguments may stand between flags: `query EXPR --limit 3 DIR`.
    args = parser.parse_intermixed_args(words)
    args.config_file = file
    settle_logdir(parser, args, words)
    return args


def serve_flags() -> set[str]:
    serve = command_named("serve")
    assert serve is not None
    return {action.dest for action in parser_of("serve", serve)._actions} - {"help", "config"}


def all_commands() -> dict[str, ModuleType]:
    """Every subcommand by name. Imports them all, so only the help uses it."""
    found = ((entry.name.rstrip("_"), command_named(entry.name)) for entry in iter_modules(command_package.__path__))
    return {name: module for name, module in found if module is not None}


def command_named(name: str) -> ModuleType | None:
    """The module of a command. If its name is a Python keyword, as `import` is, the file name ends in an underscore."""
    file = f"{name}_" if iskeyword(name) else name
    if file not in {entry.name for entry in iter_modules(command_package.__path__)}:
        return None
    module = import_module(f"{command_package.__name__}.{file}")
    return module if hasattr(module, "run") and hasattr(module, "add_arguments") else None


def parser_of(name: str, module: ModuleType) -> argparse.ArgumentParser:
    # An abbreviated flag would stop working when a longer flag with the same start is added.
    parser = ArgumentParser(prog=f"seamark {name}", description=module.__doc__, allow_abbrev=False)
    module.add_arguments(parser)
    add_verbosity(parser)
    return parser


def overview() -> str:
    summaries = {name: (module.__doc__ or "").strip().splitlines()[0] for name, module in all_commands().items()}
    lines = [f"  {name:<10} {summary}" for name, summary in summaries.items()]
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
