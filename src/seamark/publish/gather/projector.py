"""Embeddings: their metadata, sprites, and principal components in two and three dimensions.

What depends on all vectors and on choices, such as t-SNE, neighbours and clusters, needs a server.
"""

from __future__ import annotations

from typing import Any

from seamark.publish.gather.selection import Selection
from seamark.publish.request_key import get_key

ROUTES = "api/dashboards/projector"
LABEL = "embeddings"
# Of larger ones the texts of rows are left out.
MAX_TEXT_ROWS = 20_000
PREPARATION = {"normalize": False, "center": True, "sphereize": False}
DIMENSIONS = (2, 3)


def gather_embeddings(selection: Selection) -> None:
    recorder = selection.recorder
    listed = recorder.ask(f"{ROUTES}/embeddings").json()
    own = {
        field: [one for one in listed[field] if selection.is_everything or one["run"] in selection.runs]
        for field in ("embeddings", "problems")
    }
    embeddings = own["embeddings"]
    recorder.put(get_key(f"{ROUTES}/embeddings"), {**listed, **own}, label="lists", owner=None)
    recorder.put(get_key(f"{ROUTES}/has_data"), {"has_data": bool(embeddings)}, label="lists", owner=None)
    for embedding in (one for one in embeddings if one["run"] not in selection.unchanged):
        names = [step["name"] for step in embedding["steps"]]
        for name in dict.fromkeys([embedding["name"], *names]):
            gather_embedding(selection, embedding["run"], name)
        if len(names) > 1:
            body = {"run": embedding["run"], "name": embedding["name"], "names": names, **PREPARATION, "center": False}
            answer = recorder.application.post(f"{ROUTES}/movement", body)
            key = f"movement\0{embedding['run']}\0{embedding['name']}"
            if answer.is_ok:
                spool(selection, key, answer.body, answer.media_type, embedding["run"])


def gather_embedding(selection: Selection, run: str, name: str) -> None:
    recorder = selection.recorder
    place: dict[str, Any] = {"label": LABEL, "owner": run, "order": (name,)}
    names: list[tuple[str, object]] = [("run", run), ("name", name)]
    info = recorder.get(f"{ROUTES}/info", names, **place)
    if info is None:
        return
    for column in info["columns"]:
        recorder.get(f"{ROUTES}/column", [*names, ("column", column["name"])], **place)
    recorder.get(f"{ROUTES}/left_out", names, **place)
    if info["thumbnails"]:
        recorder.get(f"{ROUTES}/thumbnails", names, **place)
    if info["has_bookmarks"]:
        recorder.get(f"{ROUTES}/bookmarks", names, **place)
    for dims in DIMENSIONS:
        body = {"run": run, "name": name, "method": {"method": "pca", "dims": dims}, **PREPARATION}
        for route in ("projection", "quality"):
            key = f"{route}\0{run}\0{name}\0{dims}"
            answer = recorder.application.post(f"{ROUTES}/{route}", body)
            if answer.is_ok:
                spool(selection, key, answer.body, answer.media_type, run)
    if info["rows"] <= MAX_TEXT_ROWS:
        body = {"run": run, "name": name, "rows": list(range(info["rows"]))}
        answer = recorder.application.post(f"{ROUTES}/rows", body)
        if answer.is_ok:
            recorder.put(f"rows\0{run}\0{name}", answer.json(), **place)


def spool(selection: Selection, key: str, body: bytes, media: str, run: str) -> None:
    selection.recorder.spool.add(key, body, label=LABEL, owner=run, media=media, order=(key,))
