"""A hash of the values of columns, so that equal content has an equal id."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np

from seamark.tables.column import Column


def content_hash(columns: Iterable[Column], *, salt: bytes = b"") -> str:
    digest = hashlib.blake2b(salt, digest_size=16)
    for column in columns:
        digest.update(f"{column.name}\0{column.type}\0{len(column)}\0".encode(errors="surrogatepass"))
        if column.numbers is not None:
            digest.update(np.ascontiguousarray(column.numbers, "<f8").data)
        elif column.codes is not None:
            digest.update(np.ascontiguousarray(column.codes, "<i4").data)
            digest.update("\0".join(column.names).encode(errors="surrogatepass"))
    return digest.hexdigest()
