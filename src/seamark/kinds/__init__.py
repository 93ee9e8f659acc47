"""What a payload means: one file per kind, encode beside decode. Importing this loads neither protobuf nor Pillow."""

from seamark.kinds.payload import DecodeError
from seamark.kinds.registry import decode

__all__ = ["DecodeError", "decode"]
