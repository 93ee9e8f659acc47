"""Arguments of slices of an XPlane: the stats of an event, decoded from the file on request."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from seamark.profiles.form import Trace
from seamark.profiles.readers.message_fields import LENGTH, VARINT, fields_of
from seamark.profiles.readers.xplane_metadata import PlaneEntry, PlaneMetadata, decode_stat

if TYPE_CHECKING:
    from seamark.profiles.profile import Profile

# Contexts that link events: shown as arrows.
HIDDEN = frozenset({"_pt", "_p", "_ct", "_c"})
KERNEL_NAMES = {"regs": "registers per thread", "occ_pct": "est. achieved occupancy %"}


def read_xevent_arguments(profile: Profile, slices: Iterable[int]) -> list[dict[str, Any]]:
    """The arguments of each slice. Raises OSError, ProfileError."""
    planes = profile.get(_planes_of)
    return [planes.arguments(int(slice)) for slice in slices]


def _planes_of(profile: Profile) -> _Planes:
    return _Planes(profile.trace)


class _Planes:
    """The metadata that the events of each plane refer to, read when it is needed. For any thread."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._planes: dict[str, PlaneMetadata] = {}

    def arguments(self, slice: int) -> dict[str, Any]:
        trace = self._trace
        start, size = int(trace.argument_start[slice]), int(trace.argument_size[slice])
        if size == 0 or trace.arguments is None:
            return {}
        event = trace.arguments.read(start, size)
        row = int(np.searchsorted(trace.row_start, slice, "right")) - 1
        track = trace.tracks[int(trace.row_track[row])]
        return arguments_of_event(event, self._plane(track.pid), is_device=track.is_device)

    def _plane(self, pid: str) -> PlaneMetadata:
        known = self._planes.get(pid)
        if known is None:
            part = b""
            entry = self._trace.metadata.get("planes", {}).get(pid)
            if entry is not None and self._trace.arguments is not None:
                plane = msgspec.convert(entry, PlaneEntry)
                part = self._trace.arguments.read(plane.metadata_start, plane.metadata_end - plane.metadata_start)
            known = self._planes[pid] = PlaneMetadata(part)
        return known


def arguments_of_event(event: bytes, metadata: PlaneMetadata, *, is_device: bool) -> dict[str, Any]:
    """The stats of the event and of its name, which are in the plane's metadata. On a device names are short."""
    arguments: dict[str, Any] = {}
    stats: list[tuple[str, Any]] = []
    for field in fields_of(event):
        if field.number == 1 and field.type == VARINT:
            name = metadata.event(field.signed)
            if name is not None:
                stats += [decode_stat(metadata.part, *place, metadata) for place in name.stats]
                if is_device and name.display_name not in ("", name.name):
                    arguments["long name"] = name.name
        elif field.number == 4 and field.type == LENGTH:
            stats.append(decode_stat(event, field.start, field.end, metadata))
    for key, value in stats:
        if key == "kernel_details" and isinstance(value, str):
            arguments.update(kernel_arguments(value))
        elif key and key not in HIDDEN:
            arguments[key] = value
    return arguments


def kernel_arguments(text: str) -> dict[str, Any]:
    """ "regs:32 static_shared:0 dynamic_shared:512 grid:80,1,1 block:256,1,1 occ_pct:50" with the names of torch."""
    found: dict[str, Any] = {}
    for part in text.split():
        key, _, value = part.partition(":")
        try:
            if key in ("grid", "block"):
                found[key] = [int(number) for number in value.split(",")]
            elif key in ("static_shared", "dynamic_shared"):
                found["shared memory"] = found.get("shared memory", 0) + int(value)
            else:
                found[KERNEL_NAMES.get(key, key)] = float(value) if "." in value else int(value)
        except ValueError:
            found[key] = value
    return found
