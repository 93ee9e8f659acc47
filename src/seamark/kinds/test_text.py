"""Text of every rank."""

import pytest

from seamark.kinds import text
from seamark.kinds.payload import DecodeError
from seamark.kinds.summary import tensor_value
from seamark.kinds.tensor import from_array, from_strings


@pytest.mark.parametrize("nested", ["", "*hi* ü", ["a"], ["a", "b"], [["a", "b"], ["c", "d"]], [[["x"]]]])
def test_text_keeps_its_shape(nested: text.Nested) -> None:
    assert text.decode(text.encode("t", nested).SerializeToString()).strings.tolist() == nested


def test_bytes_are_written_as_text() -> None:
    encoded = text.encode("t", [b"\xc3\xa9", "a"]).SerializeToString()
    assert text.decode(encoded).strings.tolist() == ["é", "a"]


def test_bytes_that_are_not_utf8_are_replaced() -> None:
    value = tensor_value("t", from_strings([b"caf\xe9 ok"], shape=[]), plugin_name="text", content=b"{}")
    assert text.decode(value.SerializeToString()).strings.item() == "caf� ok"


def test_ragged_lists_and_other_types_are_rejected() -> None:
    with pytest.raises(ValueError, match="text must be"):
        text.encode("t", [1, 2])  # type: ignore[list-item]
    with pytest.raises(ValueError):
        text.encode("t", [["a", "b"], ["c"]])
    with pytest.raises(DecodeError, match="got dtype DT_INT64, want DT_STRING"):
        text.decode(tensor_value("t", from_array([1, 2]), plugin_name="text").SerializeToString())
