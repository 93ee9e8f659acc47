"""Parses payload bytes into messages. Raises DecodeError for any kind of damage."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from seamark.format import messages

    M = TypeVar("M", bound=Message)
    E = TypeVar("E", bound=IntEnum)


class DecodeError(ValueError):
    """A payload is not valid for its kind. Decoders raise no other error."""


def parse(message_class: type[M], data: bytes, what: str) -> M:
    """Parses a message; `what` names it in the error."""
    from google.protobuf.message import DecodeError as ProtobufDecodeError

    try:
        return message_class.FromString(data)
    except (ProtobufDecodeError, ValueError, RecursionError) as error:
        raise DecodeError(f"{what} cannot be parsed: {error} ({len(data)} bytes)") from error


def parse_value(data: bytes, what: str) -> messages.Summary.Value:
    """Parses the Summary.Value of a payload of forms 1 to 6."""
    from seamark.format import messages

    return parse(messages.Summary.Value, data, what)


def known(enum: type[E], number: int) -> E:
    """The member with this number, or the unknown member, which is 0 in every enum, for a newer writer's number."""
    return enum(number) if number in enum.__members__.values() else enum(0)


def utf8(data: bytes) -> str:
    """Decodes text; bytes that are not UTF-8 are replaced."""
    return data.decode("utf-8", errors="replace")


def read_varint(data: bytes, at: int, what: str) -> tuple[int, int]:
    """The number at a position, with seven bits in each byte, and the position after it."""
    result = 0
    for shift in range(0, 64, 7):
        if at >= len(data):
            break
        byte = data[at]
        at += 1
        result |= (byte & 0x7F) << shift
        if byte < 0x80:
            return result, at
    raise DecodeError(f"{what} have a broken length at byte {at}")
