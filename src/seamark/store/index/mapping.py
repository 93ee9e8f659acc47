"""Maps a file into memory without keeping it open: an index has thousands of them, a process may open 1,024."""

from __future__ import annotations

import mmap
import sys
from functools import lru_cache

if sys.version_info >= (3, 13) or sys.platform == "win32":

    def map_file(fd: int, length: int) -> memoryview:
        """The first `length` bytes, read only. Unmapped when the last view of it is gone."""
        if sys.platform == "win32":
            return memoryview(mmap.mmap(fd, length, access=mmap.ACCESS_READ))
        return memoryview(mmap.mmap(fd, length, access=mmap.ACCESS_READ, trackfd=False))

else:
    # mmap.mmap of older Pythons keeps a copy of the descriptor for resize(); so ask the C library.
    import ctypes
    import os
    import weakref

    _libc = ctypes.CDLL(None, use_errno=True)
    _libc.mmap.restype = ctypes.c_void_p
    _libc.mmap.argtypes = (
        ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long,
    )  # fmt: skip
    _libc.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
    _MAP_FAILED = ctypes.c_void_p(-1).value

    def map_file(fd: int, length: int) -> memoryview:
        """The first `length` bytes, read only. Unmapped when the last view of it is gone."""
        address = _libc.mmap(None, length, mmap.PROT_READ, mmap.MAP_SHARED, fd, 0)
        if address == _MAP_FAILED:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code))
        # The array owns nothing: it gives the map an address and a lifetime. Its size is rounded up so that there are
        # few types of array; what lies behind `length` is cut off at once.
        owner = _array_type((length - 1).bit_length()).from_address(address)
        weakref.finalize(owner, _libc.munmap, address, length).atexit = False
        return memoryview(owner).cast("B")[:length].toreadonly()

    @lru_cache(maxsize=64)
    def _array_type(bits: int) -> type[ctypes.Array[ctypes.c_ubyte]]:
        return ctypes.c_ubyte * (1 << bits)
