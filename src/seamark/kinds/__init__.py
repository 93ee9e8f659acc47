"""Encodes and decodes logged data, one module per kind. Importing this package loads neither protobuf nor Pillow."""

from seamark.kinds.payload import DecodeError
from seamark.kinds.registry import decode

__all__ = ["DecodeError", "decode"]
