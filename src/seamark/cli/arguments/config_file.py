"""Settings from a file: seamark.toml in the working directory, or the file that --config names. Flags override it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

FILE_NAME = "seamark.toml"
# Other names of settings.
OTHER_NAMES = {"runs_dir": "logdir"}
# Settings of programs that log; viewing ignores them.
OF_WRITERS = frozenset({"git", "histogram_interval"})
# A log directory or a clone may come with a seamark.toml of somebody else. Settings that open the server to others are
# read only from a file that the user names.
ONLY_WHEN_NAMED = frozenset({"no_token", "allow_delete", "allow_host", "allow_framing", "allow_predict"})
FOLDERS = frozenset({"logdir", "index_dir", "state_dir"})


class ConfigError(ValueError):
    """The settings file is invalid; the message is one sentence."""


def is_here() -> bool:
    return Path(FILE_NAME).is_file()


def add_config(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--config",
        metavar="FILE",
        help=f"settings as TOML, or as JSON in a .json file (default: {FILE_NAME} in this folder; none: no file)",
    )


def apply(
    parser: argparse.ArgumentParser, words: Sequence[str], *, serve_flags: Callable[[], Collection[str]]
) -> Path | None:
    """Makes the file's settings the defaults of a parser that has --config; returns the file, if there is one.

    One file serves all commands: a setting named in `serve_flags` is valid for a command without such a flag.
    """
    finder = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    finder.add_argument("--config")
    named = finder.parse_known_args(words)[0].config
    if named == "none":
        return None
    path = Path(named) if named else Path(FILE_NAME)
    if not named and not is_here():
        return None
    flags = {action.dest: action for action in parser._actions if action.option_strings}
    given = {OTHER_NAMES.get(key, key): (key, value) for key, value in read(path).items()}
    for name, (key, value) in given.items():
        if name in ONLY_WHEN_NAMED and not named:
            raise ConfigError(
                f"'{key}' is read only from a file named with --config; use --config {FILE_NAME}, or --{name}: '{path}'"
            )
        if name in flags and name not in ("help", "config"):
            parser.set_defaults(**{name: checked(flags[name], key, value, path)})
        elif name not in OF_WRITERS and name not in serve_flags():
            raise ConfigError(unknown_key(key, flags, path))
    return path


def read(path: Path) -> Mapping[str, Any]:
    import tomllib

    try:
        text = path.read_text(encoding="utf-8-sig")
        content = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except OSError as error:
        raise ConfigError(f"cannot read the settings ({error.strerror}): '{path}'") from None
    except ValueError as error:
        raise ConfigError(
            f"the settings are not {'JSON' if path.suffix == '.json' else 'TOML'}: {error}: '{path}'"
        ) from None
    if not isinstance(content, dict):
        raise ConfigError(f'the settings are not an object like {{"runs_dir": "runs"}}: \'{path}\'')
    return content


def checked(flag: argparse.Action, key: str, value: Any, path: Path) -> Any:
    """The value, converted as the flag would convert it."""
    name = flag.dest
    if flag.nargs == 0:
        if not isinstance(value, bool):
            raise ConfigError(f"{key} must be true or false, got {value!r}: '{path}'")
        return value
    if isinstance(value, list) and all(isinstance(entry, str) for entry in value):
        value = ",".join(value)
    if isinstance(value, bool):
        value = str(value).lower()
    if not isinstance(value, str | int | float):
        raise ConfigError(f"{key} must be a single value, got {value!r}: '{path}'")
    text = str(value)
    if name in FOLDERS and is_plain_relative(text):
        text = str(path.parent / text)
    if not callable(flag.type):
        return text
    try:
        return flag.type(text)
    except (ValueError, argparse.ArgumentTypeError) as error:
        raise ConfigError(f"{key} cannot be {value!r} ({error}): '{path}'") from None


def is_plain_relative(text: str) -> bool:
    """Whether it is one path relative to the settings file; lists, patterns and names are used as they are."""
    return text != "none" and not any(mark in text for mark in ",:*?[~") and not Path(text).is_absolute()


def unknown_key(key: str, flags: Mapping[str, argparse.Action], path: Path) -> str:
    import difflib

    known = sorted((set(flags) | set(OTHER_NAMES) | OF_WRITERS) - {"help", "config"})
    near = difflib.get_close_matches(key, known, n=1)
    hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(known)}"
    return f"unknown setting '{key}'; {hint}: '{path}'"
