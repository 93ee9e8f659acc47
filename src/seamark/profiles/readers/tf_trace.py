"""The Trace message of TensorFlow 1.x, 2.0 and 2.1."""

from __future__ import annotations

from typing import Any

from seamark.profiles.form import ProfileError
from seamark.profiles.readers.chrome_events import ChromeEvents
from seamark.profiles.readers.message_fields import LENGTH, VARINT, MessageField, fields_of, text_of


def events_of_tf_trace(data: bytes) -> bytes:
    """Devices, their resources, and events. Raises ProfileError."""
    fields = [field for field in fields_of(data) if field.type == LENGTH]
    found = [_tf_event(data, field) for field in fields if field.number == 4]
    if not found:
        raise ProfileError("this trace of TensorFlow has no events")
    base = min(int(event["start_ps"]) for event in found) // 1000
    events = ChromeEvents(base)
    devices: dict[int, str] = {}
    for field in fields:
        if field.number == 1:
            device, entry = _map_entry(data, field)
            devices[device] = _describe_device(events, data, device, entry)
    for event in found:
        start, end = event["start_ps"] // 1000, (event["start_ps"] + event["duration_ps"]) // 1000
        events.slice(
            event["device"],
            event["resource"],
            event["name"],
            "kernel" if "/device:" in devices.get(event["device"], "") and "GPU" in devices[event["device"]] else "",
            start_ns=start,
            duration_ns=end - start,
            arguments=event["arguments"],
        )
    return events.encode()


def _map_entry(data: bytes, field: MessageField) -> tuple[int, MessageField | None]:
    key, value = 0, None
    for part in fields_of(data, field.start, field.end):
        if part.number == 1 and part.type == VARINT:
            key = part.value
        elif part.number == 2 and part.type == LENGTH:
            value = part
    return key, value


def _describe_device(events: ChromeEvents, data: bytes, device: int, entry: MessageField | None) -> str:
    name = ""
    for part in fields_of(data, entry.start, entry.end) if entry is not None else ():
        if part.number == 1 and part.type == LENGTH:
            name = text_of(data, part)
            events.name_process(device, name)
        elif part.number == 3 and part.type == LENGTH:
            resource, value = _map_entry(data, part)
            for inner in fields_of(data, value.start, value.end) if value is not None else ():
                if inner.number == 1 and inner.type == LENGTH:
                    events.name_thread(device, resource, text_of(data, inner))
    return name


def _tf_event(data: bytes, field: MessageField) -> dict[str, Any]:
    event: dict[str, Any] = {"device": 0, "resource": 0, "name": "", "start_ps": 0, "duration_ps": 0, "arguments": {}}
    numbers = {1: "device", 2: "resource", 9: "start_ps", 10: "duration_ps"}
    for part in fields_of(data, field.start, field.end):
        if part.type == VARINT and part.number in numbers:
            event[numbers[part.number]] = part.value
        elif part.type == LENGTH and part.number == 3:
            event["name"] = text_of(data, part)
        elif part.type == LENGTH and part.number == 11:
            texts = [text_of(data, inner) for inner in fields_of(data, part.start, part.end) if inner.type == LENGTH]
            if len(texts) == 2:
                event["arguments"][texts[0]] = texts[1]
    # The short name of a function is cut; the whole one is among the arguments.
    event["name"] = event["arguments"].get("long name") or event["name"]
    return event
