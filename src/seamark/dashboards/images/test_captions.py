"""Captions as this version logs them and as earlier ones did, and texts that are not captions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from starlette.testclient import TestClient

from seamark import Image, SummaryWriter
from seamark.dashboards.images.captions import distribute
from seamark.kinds import text
from seamark.kinds.summary import event_record
from seamark.serve.app import create_app
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile
from seamark.write.run.values.image import write_images

PIXELS = np.zeros((2, 2, 3), np.uint8)
HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("runs")
    with SummaryWriter(folder / "new") as writer:
        write_images([Image(PIXELS, caption=HOSTILE)], writer, "one", -1)
        write_images([Image(PIXELS, caption="a\n\nb"), Image(PIXELS), Image(PIXELS, caption="c")], writer, "several", 3)
        write_images([Image(PIXELS)], writer, "bare", 0)
    with EventFile(folder / "old", wall_time=1.0) as file:
        file.append(event_record(text.encode("several/caption", "a\n\n–\n\nc"), step=3, wall_time=1.0))
        file.append(event_record(text.encode("long/caption", "x" * 2_000_000), step=0, wall_time=1.0))
        file.append(event_record(text.encode("long/caption", "y" * 5_000), step=1, wall_time=1.0))
    with (
        Store([LogRoot("", folder)], index_dir=None, follow=False) as store,
        TestClient(create_app(store), base_url="http://localhost") as client,
    ):
        assert store.wait_loaded(30)
        yield client


def get_captions(client: TestClient, run: str, tag: str, step: object, samples: object = 1) -> tuple[int, object]:
    query = {"run": run, "tag": tag, "step": step, "samples": samples}
    answer = client.get("/api/dashboards/images/captions", params=query)
    return answer.status_code, answer.json().get("captions")


def test_a_caption_for_every_picture(client: TestClient) -> None:
    assert get_captions(client, "new", "one", -1) == (200, [HOSTILE])
    assert get_captions(client, "new", "several", 3, 3) == (200, ["a\n\nb", "", "c"])
    assert get_captions(client, "new", "bare", 0) == (200, [""])


def test_files_of_earlier_versions(client: TestClient) -> None:
    assert get_captions(client, "old", "several", 3, 3) == (200, ["a", "", "c"])
    # One text that cannot be split among several pictures belongs to the first.
    assert distribute(["one for all"], 3) == ["one for all", "", ""]
    assert distribute(["a", "b", "c"], 2) == ["a", "b"]


def test_texts_that_are_not_captions(client: TestClient) -> None:
    assert get_captions(client, "new", "several", 4, 2) == (200, ["", ""])
    assert get_captions(client, "none", "several", 3) == (200, [""])
    assert get_captions(client, "old", "long", 0) == (200, [""])
    assert get_captions(client, "old", "long", 1) == (200, ["y" * 2_000])
    assert get_captions(client, "new", "one", "x")[0] == 400
    assert get_captions(client, "new", "one", 0, 10**9)[0] == 400
