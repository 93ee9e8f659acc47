"""The page's view/wire/*.ts have the same types as Python: a field that is renamed on one side fails here."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from seamark.dashboards.whatif.wire import analyses, points, sets
from seamark.examples.results import features, performance, result, slices, training
from seamark.examples.results import points as point_results
from seamark.examples.schema import ColumnSchema, Schema

TYPES = "\n".join(path.read_text() for path in sorted((Path(__file__).parent / "view" / "wire").glob("*.ts")))
MODULES = (analyses, points, sets, features, performance, result, slices, training, point_results)
STRUCTS = [
    value
    for module in MODULES
    for value in vars(module).values()
    if isinstance(value, type)
    and issubclass(value, msgspec.Struct)
    and value.__module__ == module.__name__
    and value is not result.Result
]


def interface(name: str) -> dict[str, bool]:
    """The fields with whether they may be left out; those of the interface that it extends come first."""
    found = re.search(rf"^export interface {name}(?: extends (\w+))? \{{\n(.*?)^\}}", TYPES, re.MULTILINE | re.DOTALL)
    assert found, f"view/wire has no interface {name}"
    own = re.findall(r"^  readonly (\w+)(\??):", found[2], re.MULTILINE)
    return {**(interface(found[1]) if found[1] else {}), **{field: mark == "?" for field, mark in own}}


@pytest.mark.parametrize("struct", [*STRUCTS, ColumnSchema, Schema], ids=lambda struct: struct.__name__)
def test_the_page_has_the_same_fields(struct: type[msgspec.Struct]) -> None:
    assert list(interface(struct.__name__)) == list(struct.__struct_fields__)


@pytest.mark.parametrize(
    "struct",
    [struct for struct in STRUCTS if issubclass(struct, sets.RequestStruct)],
    ids=lambda struct: struct.__name__,
)
def test_the_page_must_send_what_has_no_default(struct: type[msgspec.Struct]) -> None:
    required = {field.name for field in msgspec.structs.fields(struct) if field.required}
    assert {name for name, may_be_left_out in interface(struct.__name__).items() if not may_be_left_out} == required
