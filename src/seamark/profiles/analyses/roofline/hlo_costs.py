"""FLOPs and bytes of the instructions of a compiled program, from the HloProto that an XPlane has of it.

A multiplication and an addition are two FLOPs, an element of another arithmetic instruction is one. A fusion has those
of all instructions in it; its bytes are those of its inputs and outputs, each moved once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from seamark.profiles.readers.message_fields import LENGTH, Buffer, MessageField, fields_of, text_of

# Fields of HloProto, HloModuleProto, HloComputationProto, HloInstructionProto and ShapeProto.
MODULE, COMPUTATION, INSTRUCTION, COMPUTATION_ID = 1, 3, 2, 5
NAME, OPCODE, SHAPE, CONVOLUTION, DOT, ID, OPERANDS, CALLED = 1, 2, 3, 16, 30, 35, 36, 38
ELEMENT_TYPE, DIMENSIONS, TUPLE_SHAPES = 2, 3, 4
LEFT_CONTRACTING = 1
KERNEL_OUTPUT_FEATURE = 4
# Bytes of an element by PrimitiveType; the others have four.
SIZES = {1: 1, 2: 1, 3: 2, 5: 8, 6: 1, 7: 2, 9: 8, 10: 2, 12: 8, 15: 8, 16: 2, 18: 16, 19: 1, 20: 1}
ARITHMETIC = frozenset((
    "abs", "add", "atan2", "cbrt", "compare", "cosine", "divide", "erf", "exponential", "exponential-minus-one",
    "floor", "log", "log-plus-one", "logistic", "maximum", "minimum", "multiply", "negate", "power", "remainder",
    "rsqrt", "sine", "sqrt", "subtract", "tan", "tanh",
))  # fmt: skip
REDUCTIONS = frozenset(("reduce", "reduce-window"))
NESTED = frozenset(("fusion", "call"))
MAX_DEPTH = 16


class HloCost(NamedTuple):
    flops: float  # of one call
    bytes: float


class Shape(NamedTuple):
    dimensions: tuple[int, ...]
    elements: int  # of all parts of a tuple
    bytes: int


NO_SHAPE = Shape((), 0, 0)


@dataclass
class Instruction:
    name: str = ""
    opcode: str = ""
    shape: Shape = NO_SHAPE
    operands: list[int] = field(default_factory=list)
    called: list[int] = field(default_factory=list)
    contracting: list[int] = field(default_factory=list)
    kernel_output: int = 0


Computation = dict[int, Instruction]  # by id


def costs_of(data: Buffer) -> dict[str, HloCost]:
    """Of the instructions with FLOPs, by name. What is malformed is left out."""
    computations = dict(_computations(data))
    found: dict[str, HloCost] = {}
    for computation in computations.values():
        for instruction in computation.values():
            flops = _flops(instruction, computation, computations)
            if flops > 0:
                moved = instruction.shape.bytes + sum(shape.bytes for shape in _inputs(instruction, computation))
                found[instruction.name] = HloCost(flops, float(moved))
    return found


def _flops(
    instruction: Instruction, computation: Computation, computations: Mapping[int, Computation], depth: int = 0
) -> float:
    opcode, shape = instruction.opcode, instruction.shape
    inputs = _inputs(instruction, computation)
    if opcode in NESTED and depth < MAX_DEPTH:
        parts = (computations.get(each, {}) for each in instruction.called)
        return sum(_flops(inner, part, computations, depth + 1) for part in parts for inner in part.values())
    if opcode == "dot" and inputs:
        sizes = inputs[0].dimensions
        return 2.0 * shape.elements * math.prod(sizes[at] for at in instruction.contracting if at < len(sizes))
    if opcode == "convolution" and len(inputs) > 1:
        kernel, output = inputs[1], instruction.kernel_output
        features = kernel.dimensions[output] if output < len(kernel.dimensions) else 1
        return 2.0 * shape.elements * kernel.elements / max(1, features)
    if opcode in REDUCTIONS and inputs:
        return float(inputs[0].elements)
    return float(shape.elements) if opcode in ARITHMETIC else 0.0


def _inputs(instruction: Instruction, computation: Computation) -> list[Shape]:
    return [computation[each].shape for each in instruction.operands if each in computation]


# The message


def _computations(data: Buffer) -> Iterator[tuple[int, Computation]]:
    for module in _parts(fields_of(data), MODULE):
        for computation in _parts(fields_of(data, module.start, module.end), COMPUTATION):
            number, instructions = 0, {}
            for part in fields_of(data, computation.start, computation.end):
                if part.number == COMPUTATION_ID:
                    number = part.value
                elif part.number == INSTRUCTION and part.type == LENGTH:
                    id, instruction = _instruction(data, part)
                    instructions[id] = instruction
            yield number, instructions


def _instruction(data: Buffer, message: MessageField) -> tuple[int, Instruction]:
    found, id = Instruction(), 0
    for part in fields_of(data, message.start, message.end):
        if part.number == NAME:
            found.name = text_of(data, part)
        elif part.number == OPCODE:
            found.opcode = text_of(data, part)
        elif part.number == SHAPE:
            found.shape = _shape(data, part)
        elif part.number == ID:
            id = part.value
        elif part.number == OPERANDS:
            found.operands += _numbers(data, part)
        elif part.number == CALLED:
            found.called += _numbers(data, part)
        elif part.number == DOT:
            for each in _parts(fields_of(data, part.start, part.end), LEFT_CONTRACTING):
                found.contracting += _numbers(data, each)
        elif part.number == CONVOLUTION:
            for each in _parts(fields_of(data, part.start, part.end), KERNEL_OUTPUT_FEATURE):
                found.kernel_output = each.value
    return id, found


def _shape(data: Buffer, message: MessageField, depth: int = 0) -> Shape:
    type, dimensions, parts = 0, [], []
    for part in fields_of(data, message.start, message.end):
        if part.number == ELEMENT_TYPE:
            type = part.value
        elif part.number == DIMENSIONS:
            dimensions += _numbers(data, part)
        elif part.number == TUPLE_SHAPES and depth < MAX_DEPTH:
            parts.append(_shape(data, part, depth + 1))
    if parts:
        return Shape((), sum(part.elements for part in parts), sum(part.bytes for part in parts))
    elements = math.prod(dimensions)
    return Shape(tuple(dimensions), elements, elements * SIZES.get(type, 4))


def _parts(fields: Iterator[MessageField], number: int) -> Iterator[MessageField]:
    return (each for each in fields if each.number == number)


def _numbers(data: Buffer, part: MessageField) -> list[int]:
    """A repeated number, packed or not."""
    if part.type != LENGTH:
        return [part.value]
    found, value, shift = [], 0, 0
    for byte in bytes(data[part.start : part.end]):
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            found.append(value)
            value, shift = 0, 0
    return found
