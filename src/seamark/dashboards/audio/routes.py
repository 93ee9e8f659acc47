"""Routes of Audio: the format, length and label of each clip of a step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seamark.plugin import Context, Endpoint, ErrorCase, ParsedRequest, RequestStruct, ResponseStruct
from seamark.plugin.parameters import PayloadIndex, RunParameter, TagParameter

if TYPE_CHECKING:
    from seamark.kinds import audio

KIND = "audio"
FORMAT_NAMES = {"audio/wav": "WAV", "audio/flac": "FLAC", "audio/ogg": "Ogg", "audio/mpeg": "MP3"}


class ClipsParameters(RequestStruct):
    run: RunParameter
    tag: TagParameter
    index: PayloadIndex


class ClipFacts(ResponseStruct, kw_only=True):
    """Fields after `label` are known for WAV only. `problem` says why a clip cannot be played."""

    format: str
    size: int
    label: str  # as HTML
    sample_rate_hz: int | None = None
    channels: int | None = None
    bits: int | None = None
    encoding: str = ""
    seconds: float | None = None
    problem: str = ""
    warning: str = ""


class ClipsResponse(ResponseStruct):
    clips: list[ClipFacts]


def endpoints(context: Context) -> list[Endpoint]:
    def clips(request: ParsedRequest[ClipsParameters, None]) -> ClipsResponse:
        from seamark.kinds import audio  # loads protobuf

        parameters = request.parameters
        data = context.store.payload(parameters.run, parameters.tag, KIND, parameters.index)
        return ClipsResponse([clip_facts(clip) for clip in audio.decode(data).clips])

    return [
        Endpoint(
            path="/clips",
            summary="The clips of one step, without their sound, which is at /api/payload.",
            handler=clips,
            errors={404: ErrorCase("There is no such clip."), 422: ErrorCase("The payload cannot be decoded.")},
        )
    ]


def clip_facts(clip: audio.Clip) -> ClipFacts:
    from seamark.kinds.audio import UNKNOWN_MIME
    from seamark.kinds.markdown.rich_text import rich_html
    from seamark.kinds.media.wav import describe

    facts = ClipFacts(format=FORMAT_NAMES.get(clip.mime, ""), size=len(clip.data), label=rich_html(clip.label))
    if clip.mime == "audio/wav":
        wav = describe(clip.data)
        facts.sample_rate_hz, facts.channels, facts.bits = wav.sample_rate_hz, wav.channels, wav.bits
        facts.encoding, facts.seconds = wav.encoding, wav.seconds
        facts.problem, facts.warning = wav.problem, wav.warning
    elif clip.mime == UNKNOWN_MIME:
        facts.problem = "the clip is empty"
        if clip.data:
            facts.problem = f"not a WAV, FLAC, Ogg or MP3 file: it begins with {clip.data[:12]!r}"
    return facts
