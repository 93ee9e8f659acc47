"""The metadata of a tag's first value: plugin, display name and description."""

from dataclasses import dataclass
from functools import lru_cache

from seamark.format.messages import SummaryMetadata
from seamark.kinds.payload import parse


@dataclass(frozen=True, slots=True)
class SeriesMetadata:
    plugin_name: str
    plugin_content: bytes
    display_name: str
    description: str  # Markdown
    data_class: int  # 0 unknown, 1 scalar, 2 tensor, 3 blob sequence


def encode(
    plugin_name: str, content: bytes = b"", *, display_name: str = "", description: str = "", data_class: int = 0
) -> SummaryMetadata:
    return SummaryMetadata(
        plugin_data=SummaryMetadata.PluginData(plugin_name=plugin_name, content=content),
        display_name=display_name,
        summary_description=description,
        data_class=data_class,
    )


@lru_cache(maxsize=64)  # the kind and the content of a series are read one after the other
def decode(data: bytes) -> SeriesMetadata:
    return from_message(parse(SummaryMetadata, data, "summary metadata"))


def from_message(message: SummaryMetadata) -> SeriesMetadata:
    return SeriesMetadata(
        plugin_name=message.plugin_data.plugin_name,
        plugin_content=message.plugin_data.content,
        display_name=message.display_name,
        description=message.summary_description,
        data_class=message.data_class,
    )


def of_value(message: SummaryMetadata, first: bytes) -> SeriesMetadata:
    """A value's own metadata, or that of the tag's first value: later values may omit it."""
    own = from_message(message)
    return own if own.plugin_name or not first else decode(first)
