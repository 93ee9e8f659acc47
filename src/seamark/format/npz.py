"""Archives of NumPy arrays (.npz) and single arrays (.npy), within limits. Objects are never unpickled."""

from __future__ import annotations

import io
import math
import zipfile
import zlib
from collections.abc import Mapping
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.format.budget import hold
from seamark.format.zip_members import PackingError, blocks_of, open_member

NPY = ".npy"
# NumPy evaluates the header's text.
MAX_HEADER_BYTES = 100_000
MAX_ARRAYS = 20_000


class ArrayError(ValueError):
    """An array that cannot be read. The message is a sentence for people."""


class ArrayHeader(NamedTuple):
    shape: tuple[int, ...]
    is_fortran: bool
    dtype: np.dtype[Any]

    @property
    def nbytes(self) -> int:
        return math.prod(self.shape) * self.dtype.itemsize


def read_header(stream: IO[bytes]) -> ArrayHeader:
    """The header of an array; the stream is at its first value afterwards. Raises ArrayError."""
    try:
        version = np.lib.format.read_magic(stream)
        read = {
            (1, 0): np.lib.format.read_array_header_1_0,
            (2, 0): np.lib.format.read_array_header_2_0,
        }.get(version)
        if read is None:
            raise ArrayError(f"the array is in version {version[0]}.{version[1]} of .npy, want 1.0 or 2.0")
        header = ArrayHeader(*read(stream, max_header_size=MAX_HEADER_BYTES))
        if not all(type(size) is int and size >= 0 for size in header.shape):  # True is an int, too
            raise ArrayError(f"the array has the shape {header.shape}, want whole numbers from 0")
        return header
    except ArrayError:
        raise
    except Exception as error:  # NumPy evaluates the header's text, which fails in many ways
        raise ArrayError(f"this is not an array of NumPy: {(str(error).splitlines() or [''])[0]}") from error


def read_array(stream: IO[bytes], max_bytes: int, what: str = "the array") -> NDArray[Any]:
    """One array. Raises ArrayError if it is too large, cut off or has objects."""
    header = read_header(stream)
    if header.dtype.hasobject:
        raise ArrayError(f"{what} has objects, which are not read: want numbers or texts")
    if header.nbytes > max_bytes:
        raise ArrayError(f"{what} is too large: it has {header.nbytes:,} bytes, want at most {max_bytes:,}")
    data = bytearray()
    try:
        for block in blocks_of(stream, header.nbytes):
            hold(len(block))
            data += block
    except (zipfile.BadZipFile, zlib.error, OSError, ValueError, EOFError) as error:
        raise ArrayError(f"{what} is damaged: {error}") from error
    if len(data) != header.nbytes:
        raise ArrayError(f"{what} is cut off: it has {len(data):,} bytes, want {header.nbytes:,}")
    if header.dtype.itemsize == 0:
        return np.zeros(header.shape, header.dtype)
    return np.frombuffer(data, header.dtype).reshape(header.shape, order="F" if header.is_fortran else "C")


def read_arrays(data: bytes, max_bytes: int) -> dict[str, NDArray[Any]]:
    """All arrays of an archive, which together have at most so many bytes. Raises ArrayError."""
    arrays: dict[str, NDArray[Any]] = {}
    with _open(data) as archive:
        names = [name for name in archive.namelist() if name.endswith(NPY)]
        if len(names) > MAX_ARRAYS:
            raise ArrayError(f"the archive has too many arrays: got {len(names):,}, want at most {MAX_ARRAYS:,}")
        for file in names:
            name = file.removesuffix(NPY)
            arrays[name] = _member(archive, file, max_bytes, f"the array '{name}'")
            max_bytes -= arrays[name].nbytes
    return arrays


def _open(data: bytes) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
        raise ArrayError(f"this is not a .npz archive: {error}") from error


def _member(archive: zipfile.ZipFile, file: str, max_bytes: int, what: str) -> NDArray[Any]:
    try:
        with open_member(archive, file) as stream:
            return read_array(stream, max_bytes, what)
    except PackingError as error:
        raise ArrayError(f"the archive cannot be read: {error}") from error
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError) as error:
        raise ArrayError(f"{what} is damaged: {error}") from error


def write_arrays(stream: IO[bytes], arrays: Mapping[str, NDArray[Any]], *, compress: bool = False) -> None:
    method = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
    with zipfile.ZipFile(stream, "w", method, compresslevel=1 if compress else None) as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}{NPY}", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asarray(array), allow_pickle=False)
