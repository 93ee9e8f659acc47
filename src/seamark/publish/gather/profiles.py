"""Profiles: every page of each capture, its tables as CSV, and the slices of its trace up to a limit."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.plugin.columns import MEDIA_TYPE, decode_columns, encode_columns
from seamark.publish.gather.selection import Selection
from seamark.publish.request_key import get_key

ROUTES = "api/dashboards/profile"
LABEL = "profiles"
PAGES = (
    "info", "overview", "call_tree", "kernels", "memory", "input", "modules", "distributed", "compile", "roofline",
    "findings",
)  # fmt: skip
TABLES = (
    "steps", "operators", "kernels", "memory", "input", "modules", "distributed", "compile", "roofline",
)  # fmt: skip
GROUPS = ("name", "shapes")
MAX_STEPS = 200
READ_POLL_SECS = 0.1
MAX_READ_SECS = 600.0
# Windows of the trace, halved until every slice is alone.
WIDTH = 16_384
MAX_HALVINGS = 6
MAX_SLICES = 300_000
COUNTER_WIDTH = 8_000
NAMES_PER_REQUEST = 5_000

Names = list[tuple[str, object]]


def gather_profiles(selection: Selection) -> None:
    recorder = selection.recorder
    listed = recorder.ask(f"{ROUTES}/captures").json()
    captures = [one for one in listed["captures"] if selection.is_everything or one["run"] in selection.runs]
    recorder.put(get_key(f"{ROUTES}/captures"), {**listed, "captures": captures}, label="lists", owner=None)
    recorder.put(get_key(f"{ROUTES}/has_data"), {"has_data": bool(captures)}, label="lists", owner=None)
    recorder.get(f"{ROUTES}/rules", label="lists", owner=None)
    for capture in (one for one in captures if one["run"] not in selection.unchanged):
        for host in capture["hosts"]:
            names: Names = [("run", capture["run"]), ("capture", capture["name"]), ("host", host["host"])]
            gather_host(selection, names, str(capture["run"]))


def gather_host(selection: Selection, names: Names, run: str) -> None:
    recorder = selection.recorder
    place: dict[str, Any] = {"label": LABEL, "owner": run}
    state = wait_until_read(selection, names)
    recorder.put(get_key(f"{ROUTES}/state", names), state, **place)
    info = None
    for page in PAGES:
        found = recorder.get(f"{ROUTES}/{page}", names, **place)
        info = found if page == "info" else info
    for group in GROUPS:
        recorder.get(f"{ROUTES}/operators", [*names, ("group", group)], **place)
    for table in TABLES:
        recorder.get(f"{ROUTES}/table", [*names, ("table", table)], **place)
    if info is None:
        return
    for step in range(min(len(info["steps"]["steps"]), MAX_STEPS)):
        recorder.get(f"{ROUTES}/step", [*names, ("step", step)], **place)
    gather_trace(selection, names, run, info)


def wait_until_read(selection: Selection, names: Names) -> Any:
    deadline = time.monotonic() + MAX_READ_SECS
    while True:
        state = selection.recorder.ask(f"{ROUTES}/state", names).json()
        if state.get("state") != "reading" or time.monotonic() > deadline:
            return state
        time.sleep(READ_POLL_SECS)


def gather_trace(selection: Selection, names: Names, run: str, info: dict[str, Any]) -> None:
    """The slices as columns, and the texts of their names; the page cuts windows out of them."""
    columns = slices_of(selection, names, info["start_ns"], info["end_ns"], MAX_HALVINGS)
    if columns is None:
        return
    where = "\0".join(str(value) for _, value in names)
    ids = np.unique(columns["name"]).tolist()
    texts: dict[int, str] = {}
    for start in range(0, len(ids), NAMES_PER_REQUEST):
        part = ids[start : start + NAMES_PER_REQUEST]
        parameters: Names = [*names, ("ids", ",".join(map(str, part)))]
        texts |= dict(zip(part, selection.recorder.ask(f"{ROUTES}/names", parameters).json()["names"], strict=True))
    recorder = selection.recorder
    recorder.put(f"names\0{where}", texts, label=LABEL, owner=run)
    body = encode_columns({"total": int(columns["count"].sum())}, columns)
    recorder.spool.add(f"trace\0{where}", body, label=LABEL, owner=run, media=MEDIA_TYPE)
    for counter in range(len(info["counters"])):
        parameters = [
            *names,
            ("counter", counter),
            ("start", info["start_ns"]),
            ("end", info["end_ns"]),
            ("width", 8000),
        ]
        answer = recorder.ask(f"{ROUTES}/counter", parameters)
        if answer.is_ok:
            key = f"counter\0{where}\0{counter}"
            recorder.spool.add(key, answer.body, label=LABEL, owner=run, media=MEDIA_TYPE)


def slices_of(
    selection: Selection, names: Names, start: int, end: int, halvings: int
) -> dict[str, NDArray[Any]] | None:
    parameters: Names = [*names, ("start", start), ("end", end), ("width", WIDTH)]
    answer = selection.recorder.ask(f"{ROUTES}/window", parameters)
    if not answer.is_ok:
        return None
    columns = decode_columns(answer.body)[1]
    is_crowded = bool((columns["count"] > 1).any()) and int(columns["count"].sum()) <= MAX_SLICES
    middle = (start + end) // 2
    if halvings == 0 or not is_crowded or middle in (start, end):
        return columns
    halves = [slices_of(selection, names, *span, halvings - 1) for span in ((start, middle), (middle, end))]
    found = [half for half in halves if half is not None]
    joined = {name: np.concatenate([half[name] for half in found]) for name in columns}
    # A slice across the border is in both halves.
    _, first = np.unique(joined["slice"], return_index=True)
    return {name: column[first] for name, column in joined.items()}
