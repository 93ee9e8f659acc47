"""The user's folders for Seamark's own files, where the operating system wants them."""

from __future__ import annotations

from pathlib import Path

APP_NAME = "seamark"


def user_cache_dir() -> Path:
    """Returns the folder for files that can be made again."""
    import platformdirs  # not needed when folders are given

    return _absolute(platformdirs.user_cache_path(APP_NAME, appauthor=False), fallback=".cache")


def user_data_dir() -> Path:
    """Returns the folder for files that must not be lost."""
    import platformdirs

    return _absolute(platformdirs.user_data_path(APP_NAME, appauthor=False), fallback=".local/share")


def user_config_dir() -> Path:
    """The folder of settings, among them tokens."""
    import platformdirs

    return _absolute(platformdirs.user_config_path(APP_NAME, appauthor=False), fallback=".config")


def _absolute(folder: Path, *, fallback: str) -> Path:
    # The XDG specification says to ignore a relative path in an environment variable; platformdirs does not.
    return folder if folder.is_absolute() else Path.home() / fallback / APP_NAME
