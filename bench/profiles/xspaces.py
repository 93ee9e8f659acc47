"""An XSpace of any size, as TensorFlow's profiler writes it: a host plane with threads, steps and operators."""

from __future__ import annotations

from pathlib import Path

OPERATORS = ("MatMul", "BiasAdd", "Relu", "Softmax", "Conv2D", "AddV2", "Mul", "ResourceApplyAdam")
THREADS = 4
OPS_OF_STEP = 400
OP_PS = 20_000_000
STEP, FIRST_OP = 1, 2
IS_ROOT, STEP_NUM, LONG_NAME = 1, 2, 3


def write_xspace(path: Path, size: int) -> int:
    """Returns the number of events."""
    few = 10
    per_step = len(_xspace(few)) / few
    steps = max(few, round(size / per_step))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_xspace(steps))
    return steps * (THREADS * OPS_OF_STEP + 1)


def _xspace(steps: int) -> bytes:
    lines = b"".join(_field(3, _line(thread, steps)) for thread in range(THREADS))
    events = _metadata(4, STEP, "train") + b"".join(
        _metadata(4, FIRST_OP + number, f"model/layer_{number}/{name}:{name}") for number, name in enumerate(OPERATORS)
    )
    names = (_metadata(5, id, name) for id, name in ((IS_ROOT, "_r"), (STEP_NUM, "step_num"), (LONG_NAME, "long_name")))
    plane = _number(1, 0) + _field(2, b"/host:CPU") + lines + events + b"".join(names)
    return _field(1, plane) + _field(4, b"bench")


def _line(thread: int, steps: int) -> bytes:
    parts = [_number(1, 100 + thread), _field(2, f"python/{thread}".encode()), _number(3, 1_700_000_000_000_000_000)]
    step_ps = (OPS_OF_STEP + 2) * OP_PS
    operators = [_op(number) for number in range(len(OPERATORS))]
    for step in range(steps):
        begin = step * step_ps
        if thread == 0:
            stats = _field(4, _number(1, IS_ROOT) + _number(4, 1)) + _field(4, _number(1, STEP_NUM) + _number(4, step))
            parts.append(_field(4, _number(1, STEP) + _number(2, begin) + _number(3, step_ps - OP_PS) + stats))
        for number in range(OPS_OF_STEP):
            head, tail = operators[(number + thread) % len(OPERATORS)]
            parts.append(_field(4, head + _number(2, begin + OP_PS // 2 + number * OP_PS) + tail))
    return b"".join(parts)


def _op(number: int) -> tuple[bytes, bytes]:
    """What is before and after the offset."""
    stat = _field(4, _number(1, LONG_NAME) + _field(5, f"model/layer_{number}".encode()))
    return _number(1, FIRST_OP + number), _number(3, OP_PS - 1_000_000) + stat


def _metadata(field: int, id: int, name: str) -> bytes:
    return _field(field, _number(1, id) + _field(2, _number(1, id) + _field(2, name.encode())))


def _field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _number(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
