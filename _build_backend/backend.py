"""The build backend: scikit-build-core, after building the web bundle.

A wheel, an editable install and an sdist first build the web bundle if its sources changed. An sdist contains the
bundle, so installing from it needs no Node.
"""

from __future__ import annotations

from typing import Any

import web_bundle
from scikit_build_core import build as _native
from scikit_build_core.build import *  # noqa: F403  (the other hooks are unchanged)

Settings = dict[str, Any] | None


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    return _native.get_requires_for_build_wheel(config_settings) + web_bundle.requirements()


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    return _native.get_requires_for_build_editable(config_settings) + web_bundle.requirements()


def get_requires_for_build_sdist(config_settings: Settings = None) -> list[str]:
    return _native.get_requires_for_build_sdist(config_settings) + web_bundle.requirements()


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    web_bundle.ensure()
    return _native.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    web_bundle.ensure()
    return _native.build_editable(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    web_bundle.ensure()
    return _native.build_sdist(sdist_directory, config_settings)
