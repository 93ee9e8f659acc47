"""The routes of Images: lists, thumbnails, archives; and what hostile images are answered with."""

from __future__ import annotations

import struct
import threading
import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from starlette.testclient import TestClient

from seamark.dashboards.images.thumbnails import BoundedCache, Thumbnails
from seamark.kinds import image
from seamark.kinds.summary import event_record
from seamark.serve.app import create_app
from seamark.store import LogRoot, Store
from seamark.write.event_file import EventFile

ROUTES = "/api/dashboards/images"
PHOTO = np.random.default_rng(0).integers(0, 255, (300, 400, 3), dtype=np.uint8)


def chunk(name: bytes, content: bytes) -> bytes:
    return len(content).to_bytes(4, "big") + name + content + zlib.crc32(name + content).to_bytes(4, "big")


def bomb(side: int) -> bytes:
    """A PNG whose few bytes claim side × side pixels."""
    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"\0" * 1000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def animation(frames: int, side: int = 300) -> bytes:
    out = BytesIO()
    pictures = [Image.new("RGB", (side, side), (number * 20, 0, 0)) for number in range(frames)]
    pictures[0].save(out, "GIF", save_all=True, append_images=pictures[1:], duration=100)
    return out.getvalue()


def values(step: int) -> list[object]:
    photo = image.png(PHOTO)
    return [
        image.encode("photo", PHOTO),
        image.encode("small", np.full((2, 4, 4, 3), step, np.uint8)),
        image.encode_files("cut", [photo[: len(photo) // 2]]),
        image.encode_files("bomb", [bomb(30_000)]),
        image.encode_files("evil", [b"<script>alert(1)</script>"], width=1, height=1),
        image.encode_files("moving", [animation(3)]),
        image.encode_files("none", []),
    ]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("runs")
    for run in ("a", "b/../..x"):
        with EventFile(folder / run.replace("/", "_"), wall_time=1000.0) as file:
            for step in range(3):
                file.append(event_record(values(step), step=step * 10, wall_time=1000.0 + step))
    with (
        Store([LogRoot("", folder)], index_dir=None, follow=False) as store,
        TestClient(create_app(store), base_url="http://localhost") as client,
    ):
        assert store.wait_loaded(30)
        yield client


def address(route: str, tag: str, step: int = 0, **more: object) -> str:
    rest = "".join(f"&{name}={value}" for name, value in more.items())
    return f"{ROUTES}/{route}?run=a&tag={tag}&index={step}&wall={1000.0 + step}{rest}"


def test_a_series_tells_its_steps_and_what_the_newest_holds(client: TestClient) -> None:
    listed = client.get(f"{ROUTES}/series?run=a&tag=small").json()
    assert (listed["steps"], listed["index"]) == ([0, 10, 20], [0, 1, 2])
    newest = listed["newest"]
    assert [(sample["mime"], sample["width"], sample["fault"]) for sample in newest["samples"]] == [
        ("image/png", 4, "")
    ] * 2
    assert client.get(f"{ROUTES}/series?run=a&tag=gone").status_code == 404
    assert client.get(f"{ROUTES}/series?tag=small").json() == {"error": "no run given"}


def test_a_large_image_comes_small_and_a_small_one_as_it_is(client: TestClient) -> None:
    answer = client.get(address("thumbnail", "photo", side=100))
    assert answer.headers["content-type"] == "image/jpeg"
    assert "immutable" in answer.headers["cache-control"]
    # Sizes are rounded up, and the shape stays.
    assert Image.open(BytesIO(answer.content)).size == (128, 96)
    small = client.get(address("thumbnail", "small", 2, side=64, sample=1))
    assert np.asarray(Image.open(BytesIO(small.content)))[0, 0].tolist() == [2, 2, 2]
    assert client.get(address("thumbnail", "small", sample=2)).status_code == 404
    assert client.get(address("thumbnail", "small", side="x")).status_code == 400


def test_a_gif_keeps_moving(client: TestClient) -> None:
    answer = client.get(address("thumbnail", "moving", side=64))
    assert Image.open(BytesIO(answer.content)).n_frames == 3


def test_another_file_in_the_same_place_is_not_taken_for_the_one_that_was_listed(client: TestClient) -> None:
    gone = client.get(f"{ROUTES}/thumbnail?run=a&tag=small&index=1&wall=5")
    assert gone.status_code == 404
    assert "list them again" in gone.json()["error"]


@pytest.mark.parametrize(
    ("tag", "sentence"),
    [
        ("bomb", "too large to be drawn: 30,000 × 30,000 pixels"),
        ("cut", "the PNG is cut off"),
        ("evil", "no image or video that is known"),
    ],
)
def test_what_cannot_be_drawn_says_why(client: TestClient, tag: str, sentence: str) -> None:
    answer = client.get(address("thumbnail", tag, side=64))
    assert answer.status_code == 422
    assert sentence in answer.json()["error"]
    (sample,) = client.get(address("step", tag)).json()["samples"]
    assert sentence in sample["fault"]
    assert sample["is_shown"] == (tag == "cut")


def test_a_step_without_images_says_so(client: TestClient) -> None:
    assert client.get(address("step", "none")).json()["fault"].startswith("this step has no image")
    assert client.get(address("thumbnail", "none")).status_code == 404


def test_every_image_comes_in_one_archive_under_names_that_stay_in_their_folder(client: TestClient) -> None:
    answer = client.get(f"{ROUTES}/zip?tag=small&tag=photo&run=a&run=b_.._..x")
    assert answer.headers["content-disposition"] == 'attachment; filename="images.zip"'
    archive = zipfile.ZipFile(BytesIO(answer.content))
    assert archive.testzip() is None
    names = archive.namelist()
    assert len(names) == 2 * 3 * (2 + 1)
    assert {"a/photo/step_00000010.png", "a/small/step_00000020_1.png"} <= set(names)
    assert not [name for name in names if ".." in name.split("/") or name.startswith("/")]
    pixels = np.asarray(Image.open(BytesIO(archive.read("a/photo/step_00000010.png"))))
    np.testing.assert_array_equal(pixels, PHOTO)


def test_an_archive_of_a_step_has_what_each_series_shows_at_it(client: TestClient) -> None:
    answer = client.get(f"{ROUTES}/zip?tag=small&run=a&step=15")
    assert zipfile.ZipFile(BytesIO(answer.content)).namelist() == [
        "a/small/step_00000010_0.png",
        "a/small/step_00000010_1.png",
    ]
    assert client.get(f"{ROUTES}/zip?run=a").status_code == 400
    assert client.get(f"{ROUTES}/zip?tag=small&step=x").status_code == 400


def test_a_choice_too_long_for_an_address_comes_in_the_body(client: TestClient) -> None:
    wish = {"tags": ["small"], "runs": ["a", *(f"gone {number}" for number in range(1000))], "step": 0}
    answer = client.post(f"{ROUTES}/zip", json=wish)
    assert len(zipfile.ZipFile(BytesIO(answer.content)).namelist()) == 2
    for body in ("", "[]", '{"tags": 3}', '{"tags": [], "attempts": "some"}'):
        assert client.post(f"{ROUTES}/zip", content=body).status_code == 400


def test_the_cache_forgets_what_was_used_longest_ago() -> None:
    cache = BoundedCache(limit_bytes=10)
    for name in "abc":
        cache.put(name, image.EncodedImage("", name.encode() * 4))
        cache.get("a")
    assert [name for name in "abc" if cache.get(name)] == ["a", "c"]
    cache.put("huge", image.EncodedImage("", b"x" * 11))
    assert cache.size_bytes == 8


def test_few_images_are_decoded_at_a_time_and_the_cache_stays_bounded() -> None:
    thumbnails = Thumbnails(BoundedCache(limit_bytes=100_000))
    photo = image.EncodedImage("image/png", image.png(PHOTO))
    at_once, most, lock = 0, 0, threading.Lock()

    def read() -> image.EncodedImage:
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        with lock:
            at_once -= 1
        return photo

    threads = [threading.Thread(target=thumbnails.get, args=(n, read), kwargs={"side": 128}) for n in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most <= 2
    assert 0 < thumbnails.cache.size_bytes <= 100_000


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_kind_of_png_can_be_made_small(mode: str) -> None:
    from seamark.dashboards.images.thumbnails import shrink

    grey = np.arange(300, dtype=np.uint16)[None, :] * np.ones((300, 1), np.uint16) * 200
    out = BytesIO()
    picture = Image.fromarray(grey) if mode == "I;16" else Image.fromarray((grey >> 8).astype(np.uint8)).convert(mode)
    picture.save(out, "PNG")
    small = np.asarray(Image.open(BytesIO(shrink(out.getvalue(), 64).data)).convert("L"))
    assert small.shape == (64, 64)
    # Dark on the left, bright on the right, whatever the depth.
    assert small[:, :8].mean() < 60 < 160 < small[:, -8:].mean()


def test_only_moving_pictures_are_videos(client: TestClient) -> None:
    (video,) = client.get(f"{ROUTES}/videos").json()["tags"]
    assert (video["tag"], sorted(video["runs"])) == ("moving", ["a", "b_.._..x"])


def test_a_gif_is_taken_apart_into_its_frames(client: TestClient) -> None:
    assert client.get(address("frames", "moving")).json() == {"durations_ms": [100, 100, 100]}
    second = client.get(address("frame", "moving", frame=1))
    assert Image.open(BytesIO(second.content)).convert("RGB").getpixel((5, 5)) == (20, 0, 0)
    assert client.get(address("frame", "moving", frame=3)).status_code == 404
    assert client.get(address("frames", "photo")).status_code == 422
