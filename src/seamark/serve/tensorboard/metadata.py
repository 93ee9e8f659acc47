"""Decodes the metadata of a series: plugin, display name, description and the plugin's own version."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from seamark.kinds.payload import DecodeError
from seamark.store import SeriesInfo

MAX_KNOWN_VERSION = 0


class Metadata(NamedTuple):
    """`plugin_name` is "" for legacy series, which were written before TensorBoard had plugins."""

    plugin_name: str = ""
    plugin_content: bytes = b""
    display_name: str = ""
    description: str = ""

    @property
    def is_legacy(self) -> bool:
        return not self.plugin_name

    @property
    def is_supported(self) -> bool:
        return plugin_version(self.plugin_content) <= MAX_KNOWN_VERSION

    def display_name_for(self, tag: str) -> str:
        """TensorBoard names legacy series by their tag."""
        return self.display_name or (tag if self.is_legacy else "")


@lru_cache(maxsize=4096)
def decode_metadata(data: bytes) -> Metadata:
    """Metadata that cannot be decoded counts as none."""
    if not data:
        return Metadata()
    from seamark.kinds import metadata  # loads protobuf

    try:
        decoded = metadata.decode(data)
    except DecodeError:
        return Metadata()
    return Metadata(decoded.plugin_name, decoded.plugin_content, decoded.display_name, decoded.description)


@lru_cache(maxsize=4096)
def plugin_version(content: bytes) -> int:
    """Field 1 of every plugin's own message. Some writers put JSON or a lone "1" there: that is version 0."""
    if content in (b"", b"{}", b"1"):
        return 0
    from seamark.format.messages import ScalarPluginData  # loads protobuf
    from seamark.kinds.payload import parse

    try:
        return parse(ScalarPluginData, content, "plugin data").version
    except DecodeError:
        return 0


def metadata_of(info: SeriesInfo) -> Metadata:
    return decode_metadata(info.metadata)
