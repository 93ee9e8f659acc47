"""Refers to one logged image, and reads it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np
from msgspec import Meta

from seamark.format.types import RunName, Tag
from seamark.plugin import RequestError, RequestStruct, not_found
from seamark.plugin.parameters import Index, PayloadIndex, RunParameter, TagParameter
from seamark.store import RunStore

if TYPE_CHECKING:
    from seamark.kinds import image

KIND = "images"


class UnreadableImageError(RequestError):
    """The image cannot be drawn; the message says why."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code="undecodable")


class ImageParameters(RequestStruct, kw_only=True):
    """The parameters of an ImageRef."""

    run: RunParameter
    tag: TagParameter
    index: PayloadIndex
    sample: Annotated[Index, Meta(description="The image of the step.")] = 0
    wall: Annotated[float, Meta(description="The wall time of the step.")]


@dataclass(frozen=True)
class ImageRef:
    """One image. Its wall time is part of it: after its file was replaced, it refers to nothing."""

    run: RunName
    tag: Tag
    index: int
    sample: int
    wall: float

    @classmethod
    def find(cls, store: RunStore, parameters: ImageParameters) -> ImageRef:
        """Raises RequestError if there is no image at this index with this wall time."""
        listed = store.payloads(parameters.run, parameters.tag, KIND, attempts="all")
        found = np.flatnonzero(listed.index == parameters.index)
        if found.size != 1 or not math.isclose(listed.walls[found[0]], parameters.wall, rel_tol=0, abs_tol=1e-6):
            raise not_found(
                f"image {parameters.index} of '{parameters.tag}' was not written at {parameters.wall}; "
                f"request the list again: run '{parameters.run}'"
            )
        return cls(parameters.run, parameters.tag, parameters.index, parameters.sample, parameters.wall)

    def read(self, store: RunStore) -> image.EncodedImage:
        from seamark.kinds import image  # loads protobuf

        images = image.decode(store.payload(self.run, self.tag, KIND, self.index)).images
        if self.sample >= len(images):
            raise not_found(f"there is no sample {self.sample} at this step: it has {len(images)}, counted from 0")
        return images[self.sample]
