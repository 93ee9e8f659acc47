"""Text: Markdown strings in an array of any rank; rank 2 is a table."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.format.messages import Summary, TextPluginData
from seamark.kinds.payload import parse_value, utf8
from seamark.kinds.summary import tensor_value
from seamark.kinds.tensor import from_strings, strings_of

PLUGIN_NAME = "text"
# The description of a series that contains HTML; TensorBoard reads it as text.
HTML = "text/html"
Nested = str | bytes | Sequence["Nested"]


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    strings: NDArray[np.object_]  # of str
    is_html: bool = False  # logged by seamark.Html


def encode(tag: str, text: Nested, *, display_name: str = "", description: str = "") -> Summary.Value:
    """Encodes a string or nested lists of strings with rows of equal length. Bytes are read as UTF-8."""
    array = np.array(text, dtype=object)
    if not all(isinstance(item, str | bytes) for item in array.ravel()):
        raise ValueError("text must be a string or nested lists of strings with rows of equal length")
    return tensor_value(
        tag,
        from_strings([utf8(item) if isinstance(item, bytes) else item for item in array.ravel()], shape=array.shape),
        plugin_name=PLUGIN_NAME,
        content=TextPluginData().SerializeToString(),
        display_name=display_name,
        description=description,
    )


def decode(data: bytes) -> Text:
    value = parse_value(data, "text")
    encoded = strings_of(value, "text")
    strings = np.empty(encoded.size, dtype=object)
    strings[:] = [utf8(item) for item in encoded.ravel()]
    return Text(strings.reshape(encoded.shape), is_html=value.metadata.summary_description == HTML)
