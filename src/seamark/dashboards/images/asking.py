"""What a request wants, checked; and what it is told when it cannot have it: a status and a sentence."""

from __future__ import annotations

import functools
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from starlette.requests import Request
from starlette.responses import Response

from seamark.format.types import RunName, Tag
from seamark.kinds import image
from seamark.kinds.payload import DecodeError
from seamark.plugin import as_json
from seamark.store import PayloadGoneError, Store, UnknownSeriesError

KIND = "images"
Attempts = Literal["latest", "all"]
# The address names the wall time: it never means another picture.
IMMUTABLE = {"cache-control": "private, max-age=31536000, immutable"}


class UnreadableImageError(Exception):
    """It cannot be drawn; the message says why."""


class RefusalError(Exception):
    """The request cannot be answered; the message says why."""

    def __init__(self, message: str, *, status_code: int = 400) -> None:
        super().__init__(message)
        self.status_code = status_code


REFUSED = (RefusalError, UnknownSeriesError, PayloadGoneError, UnreadableImageError, DecodeError)


def answered(answer: Callable[[Request], Response]) -> Callable[[Request], Response]:
    """Whatever is wrong with a request or a payload becomes a sentence for the card that asked."""

    @functools.wraps(answer)
    def guarded(request: Request) -> Response:
        try:
            return answer(request)
        except REFUSED as error:
            return refusal_of(error)

    return guarded


def answered_async(answer: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    @functools.wraps(answer)
    async def guarded(request: Request) -> Response:
        try:
            return await answer(request)
        except REFUSED as error:
            return refusal_of(error)

    return guarded


def refusal_of(error: Exception) -> Response:
    match error:
        case RefusalError():
            return refused(str(error), error.status_code)
        case UnknownSeriesError() | PayloadGoneError():
            return refused(str(error), 404)
        case DecodeError():
            return refused(f"what the run logged cannot be read: {error}", 422)
    return refused(str(error), 422)


def refused(sentence: str, status_code: int) -> Response:
    return as_json({"error": sentence}, status_code)


def text(request: Request, name: str) -> str:
    given = request.query_params.get(name)
    if given is None:
        raise RefusalError(f"no {name} given")
    return given


def signed(request: Request, name: str) -> int:
    try:
        return int(text(request, name))
    except ValueError:
        raise RefusalError(f"{name} is not a whole number: {request.query_params[name]!r}") from None


def whole(request: Request, name: str, default: int | None = None, *, most: int = 2**53) -> int:
    given = request.query_params.get(name)
    if given is None and default is not None:
        return default
    try:
        number = int(text(request, name))
    except ValueError:
        raise RefusalError(f"{name} is not a whole number: {given!r}") from None
    if not 0 <= number <= most:
        raise RefusalError(f"{name} lies between 0 and {most}, got {number}")
    return number


def seconds(request: Request, name: str) -> float:
    try:
        return float(text(request, name))
    except ValueError:
        raise RefusalError(f"{name} is not a number: {request.query_params[name]!r}") from None


def attempts_of(given: object) -> Attempts:
    match given:
        case "latest":
            return "latest"
        case "all":
            return "all"
        case _:
            raise RefusalError(f"attempts is latest or all, got {given!r}")


@dataclass(frozen=True)
class Wanted:
    """One payload, by its wall time too: a file that was replaced meanwhile gives a 404, not another picture."""

    run: RunName
    tag: Tag
    index: int
    sample: int
    wall: float

    @classmethod
    def by(cls, request: Request) -> Wanted:
        run, tag = RunName(text(request, "run")), Tag(text(request, "tag"))
        return cls(run, tag, whole(request, "index"), whole(request, "sample", 0), seconds(request, "wall"))

    def checked(self, store: Store) -> Wanted:
        listed = store.payloads(self.run, self.tag, KIND, attempts="all")
        found = np.flatnonzero(listed.index == self.index)
        if found.size != 1 or not math.isclose(listed.walls[found[0]], self.wall, rel_tol=0, abs_tol=1e-6):
            sentence = (
                f"image {self.index} of {self.tag!r} was not written at {self.wall}; list them again: run '{self.run}'"
            )
            raise RefusalError(sentence, status_code=404)
        return self

    def images(self, store: Store) -> image.Images:
        return image.decode(store.payload(self.run, self.tag, KIND, self.index))

    def image(self, store: Store) -> image.EncodedImage:
        images = self.images(store).images
        if self.sample >= len(images):
            raise RefusalError(
                f"there is no sample {self.sample} in this step: it has {len(images)}, from 0", status_code=404
            )
        return images[self.sample]
