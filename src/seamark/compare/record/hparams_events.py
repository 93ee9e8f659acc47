"""Decodes hyperparameters in event files: experiments, session starts and session ends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from seamark.format import messages
from seamark.format.types import RunName, Tag
from seamark.kinds import DecodeError
from seamark.kinds.hparams import EXPERIMENT_TAG, PLUGIN_NAME, SESSION_END_TAG, SESSION_START_TAG
from seamark.kinds.metadata import decode as decode_metadata
from seamark.kinds.payload import parse

NEWEST_KNOWN_VERSION = 0


@dataclass(frozen=True)
class Logged:
    """The messages, by run where there is one per run."""

    experiments: list[messages.Experiment] = field(default_factory=list)
    starts: dict[str, messages.SessionStartInfo] = field(default_factory=dict)
    ends: dict[str, messages.SessionEndInfo] = field(default_factory=dict)


def logged(series: Iterable[tuple[RunName, Tag, bytes]]) -> Logged:
    """Decodes the metadata of series of the kind "hparams". Invalid messages and later versions are left out."""
    found = Logged()
    for run, tag, encoded in series:
        try:
            metadata = decode_metadata(encoded)
            if metadata.plugin_name != PLUGIN_NAME:
                continue
            data = parse(messages.HParamsPluginData, metadata.plugin_content, "hparams")
        except DecodeError:
            continue
        if data.version > NEWEST_KNOWN_VERSION:
            continue
        match data.WhichOneof("data"):
            case "experiment" if tag == EXPERIMENT_TAG:
                found.experiments.append(data.experiment)
            case "session_start_info" if tag == SESSION_START_TAG:
                found.starts[run] = data.session_start_info
            case "session_end_info" if tag == SESSION_END_TAG:
                found.ends[run] = data.session_end_info
    return found
