"""FLOPs of compiled programs, encoded by hand, so that the reader is not tested with messages of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamark.profiles.analyses.roofline import find_roofline, has_flops
from seamark.profiles.analyses.roofline.hlo_costs import HloCost, costs_of
from seamark.profiles.cache.opening import ProfileOpener
from seamark.profiles.testing_xspaces import XPlaneBuilder, content, number, varint, xspace

FLOAT, HALF = 11, 10


def shape(*sizes: int, type: int = FLOAT) -> bytes:
    return number(2, type) + content(3, b"".join(map(varint, sizes)))


def instruction(id: int, opcode: str, of: bytes, operands: tuple[int, ...] = (), *more: bytes) -> bytes:
    named = content(1, f"{opcode}.{id}".encode()) + content(2, opcode.encode()) + content(3, of) + number(35, id)
    return content(2, named + content(36, b"".join(map(varint, operands))) + b"".join(more))


def program(*computations: bytes) -> bytes:
    parts = (content(3, computation + number(5, at)) for at, computation in enumerate(computations, 1))
    return content(1, content(1, b"jit_step") + b"".join(parts))


LEFT, RIGHT = instruction(1, "parameter", shape(4, 8)), instruction(2, "parameter", shape(8, 16))
CONTRACTING = content(30, content(1, varint(1)) + content(2, varint(0)))
DOT = instruction(3, "dot", shape(4, 16), (1, 2), CONTRACTING)


def test_a_product_and_an_elementwise_instruction() -> None:
    data = program(LEFT + RIGHT + DOT + instruction(4, "tanh", shape(4, 16, type=HALF), (3,)))
    assert costs_of(data) == {
        "dot.3": HloCost(2.0 * 4 * 16 * 8, 4.0 * (4 * 8 + 8 * 16 + 4 * 16)),
        "tanh.4": HloCost(64.0, 64 * 4.0 + 64 * 2),
    }


def test_a_convolution_meets_each_output_with_one_kernel() -> None:
    image, kernel = instruction(1, "parameter", shape(8, 3, 32, 32)), instruction(2, "parameter", shape(16, 3, 3, 3))
    convolution = instruction(3, "convolution", shape(8, 16, 32, 32), (1, 2), content(16, number(4, 0)))
    assert costs_of(program(image + kernel + convolution))["convolution.3"].flops == 2 * 8 * 16 * 32 * 32 * 3 * 3 * 3


def test_a_fusion_has_the_flops_of_what_is_in_it_and_the_bytes_of_its_own() -> None:
    inner = LEFT + RIGHT + DOT + instruction(4, "add", shape(4, 16), (3, 3))
    fusion = instruction(9, "fusion", shape(4, 16), (1, 2), content(38, varint(1)))
    found = costs_of(program(inner, LEFT + RIGHT + fusion))
    assert found["fusion.9"] == HloCost(2.0 * 4 * 16 * 8 + 64, 4.0 * (4 * 8 + 8 * 16 + 4 * 16))


def test_a_program_that_calls_itself_ends() -> None:
    calling = instruction(1, "call", shape(2), (), content(38, varint(1)))
    assert costs_of(program(calling)) == {}


@pytest.mark.parametrize("size", [0, 1, 5, 40])
def test_a_program_that_is_cut_off(size: int) -> None:
    assert set(costs_of(program(LEFT + RIGHT + DOT)[:size])) <= {"dot.3"}


@settings(deadline=None, max_examples=200)
@given(st.binary(max_size=200))
def test_any_bytes_are_read(data: bytes) -> None:
    assert isinstance(costs_of(content(1, content(3, content(2, data)))), dict)


def test_operations_of_a_cpu_have_the_flops_of_their_own_program(tmp_path: Path) -> None:
    """Both programs have an operation of the same name, and only one of them a product."""
    modules = XPlaneBuilder("/host:metadata").add_module("jit_step(1)", 1, program(LEFT + RIGHT + DOT))
    modules.add_module("jit_other(2)", 2, program(instruction(1, "tanh", shape(5)) + instruction(3, "dot", shape(1))))
    modules.add_module(
        "jit_third(3)", 3, program(LEFT + RIGHT + instruction(3, "dot", shape(2, 2), (1, 2), CONTRACTING))
    )
    host = XPlaneBuilder("/host:CPU")
    events = [
        host.event(name, 1000 * at, 500, {"hlo_op": name, "program_id": number})
        for at, (name, number) in enumerate([("dot.3", 1), ("tanh.1", 2), ("dot.3", 1), ("dot.3", 3)])
    ]
    file = tmp_path / "host.xplane.pb"
    file.write_bytes(xspace(modules, host.line("tf_XLAEigen/1", *events)))
    profile = ProfileOpener(tmp_path / "cache").open(file)
    assert has_flops(profile.trace)
    found = find_roofline(profile)
    assert {(row.name, row.calls, row.self_ns, row.flops) for row in found.rows} == {
        ("dot.3", 2, 1000, 2.0 * 1024),
        ("dot.3", 1, 500, 2.0 * 4 * 8),
        ("tanh.1", 1, 500, 5.0),
    }
    assert "compiled programs" in found.notes[0] and not found.are_peaks_nominal
