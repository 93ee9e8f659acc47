"""A writer whose folder is in a bucket: it writes to the spool, and what it wrote is sent from there."""

from __future__ import annotations

import atexit
import logging
import os
import weakref
from typing import TYPE_CHECKING, Protocol

from seamark.write.queue.warn_once import WarnOnce

if TYPE_CHECKING:
    from seamark.upload.bucket_upload import BucketUpload

logger = logging.getLogger(__name__)


class Closable(Protocol):
    log_dir: str

    def close(self) -> None: ...


class WriterBucket:
    def __init__(self, upload: BucketUpload) -> None:
        self._upload = upload
        self.address, self.folder = upload.address, str(upload.folder)

    def flush(self) -> None:
        """Waits, for a bounded time, until the bucket has what was written."""
        self._upload.flush()


def open_bucket(writer: Closable) -> WriterBucket:
    """Raises ValueError for an address that cannot be, and OSError if nothing can be written on this machine."""
    from seamark.format.bucket_address import parse_bucket
    from seamark.upload.bucket_upload import BucketUpload, new_folder

    address = parse_bucket(writer.log_dir)
    folder = new_folder(address)
    warn_once = WarnOnce(logger, address)
    upload = BucketUpload(address, folder, warn=warn_once.warn, recovered=warn_once.reset)
    atexit.register(end, os.getpid(), weakref.ref(writer), upload)
    return WriterBucket(upload)


def end(process: int, writer: weakref.ref[Closable], upload: BucketUpload) -> None:
    """First what the writer has, so that the folder is complete before it leaves the spool."""
    if process != os.getpid():  # a forked child: its parent sends
        return
    opened = writer()
    if opened is not None:
        opened.close()
    upload.finish()
