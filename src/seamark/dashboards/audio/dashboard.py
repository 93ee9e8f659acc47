"""What the clips of one step are: labels as HTML, length and format, and why one cannot be heard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from seamark.format.types import RunName, Tag
from seamark.kinds import audio
from seamark.kinds.rich_text import rich_html
from seamark.kinds.wav import describe
from seamark.plugin import Context, Dashboard, as_json, parse_index
from seamark.store import PayloadGoneError, UnknownSeriesError

NAMES = {"audio/wav": "WAV", "audio/flac": "FLAC", "audio/ogg": "Ogg", "audio/mpeg": "MP3"}


def routes(context: Context) -> Sequence[Route]:
    def clips(request: Request) -> Response:
        """The clips of one step, without their sound: that is under /api/payload."""
        given = request.query_params
        missing = [name for name in ("run", "tag", "index") if name not in given]
        index = None if missing else parse_index(given["index"])
        if index is None:
            return as_json({"error": f"no {missing[0]} given" if missing else "index is not a number"}, 400)
        try:
            data = context.store.payload(RunName(given["run"]), Tag(given["tag"]), "audio", index)
            found = audio.decode(data)
        except (UnknownSeriesError, PayloadGoneError) as error:
            return as_json({"error": str(error)}, 404)
        except ValueError as error:  # kinds.DecodeError
            return as_json({"error": f"what the run logged cannot be read: {error}"}, 422)
        return as_json({"clips": [facts_of(clip) for clip in found.clips]})

    return [Route("/clips", clips)]


def facts_of(clip: audio.Clip) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "format": NAMES.get(clip.mime, ""),
        "size": len(clip.data),
        "label": rich_html(clip.label),
        "sample_rate_hz": None,
        "channels": None,
        "bits": None,
        "encoding": "",
        "seconds": None,
        "problem": "",
        "warning": "",
    }
    if clip.mime == "audio/wav":
        wav = describe(clip.data)
        facts |= {
            "sample_rate_hz": wav.sample_rate_hz,
            "channels": wav.channels,
            "bits": wav.bits,
            "encoding": wav.encoding,
            "seconds": wav.seconds,
            "problem": wav.problem,
            "warning": wav.warning,
        }
    elif clip.mime == audio.UNKNOWN_MIME:
        begin = clip.data[:12]
        facts["problem"] = (
            f"this is no WAV, FLAC, Ogg or MP3 file: it begins with {begin!r}" if clip.data else "the clip is empty"
        )
    return facts


dashboard = Dashboard(name="audio", title="Audio", order=40, kinds=("audio",), routes=routes)
