"""From payload bytes to messages, with one error for everything that can be wrong with them."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from seamark.format import messages

    M = TypeVar("M", bound=Message)
    E = TypeVar("E", bound=IntEnum)


class DecodeError(ValueError):
    """A payload is not what its kind says; the message tells what, got and want. Nothing else leaves a decode."""


def parse(message_class: type[M], data: bytes, what: str) -> M:
    """The message in `data`; `what` names it for the reader of the error."""
    from google.protobuf.message import DecodeError as ProtobufDecodeError

    try:
        return message_class.FromString(data)
    except (ProtobufDecodeError, ValueError, RecursionError) as error:
        raise DecodeError(f"{what} cannot be parsed: {error} ({len(data)} bytes)") from error


def parse_value(data: bytes, what: str) -> messages.Summary.Value:
    """The Summary.Value a payload of forms 1 to 6 is."""
    from seamark.format import messages

    return parse(messages.Summary.Value, data, what)


def known(enum: type[E], number: int) -> E:
    """The member with this number; one from a newer writer counts as the unknown member, which is 0 everywhere."""
    return enum(number) if number in enum.__members__.values() else enum(0)


def utf8(data: bytes) -> str:
    """Text for people: a byte that is not UTF-8 must not hide the rest."""
    return data.decode("utf-8", errors="replace")


def read_varint(data: bytes, at: int, what: str) -> tuple[int, int]:
    """The number at this position, seven bits a byte, and the position behind it."""
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
