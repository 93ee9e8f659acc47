"""The routes of Images: lists, thumbnails, archives, frames, and hostile images."""

from __future__ import annotations

import asyncio
import struct
import threading
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from PIL import Image
from starlette.testclient import TestClient

from seamark.dashboards.images.decoding import MAX_LIGHT_PIXELS, DecodingThreads, check_weight
from seamark.dashboards.images.frames import decoded_frames
from seamark.dashboards.images.image_ref import UnreadableImageError
from seamark.dashboards.images.thumbnails import BoundedCache, Thumbnails
from seamark.kinds import image
from seamark.kinds.media.image_frames import is_animated
from seamark.kinds.summary import event_record
from seamark.serve.app import create_app
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile

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


def test_a_series_lists_its_steps_and_the_images_of_the_newest(client: TestClient) -> None:
    listed = client.get(f"{ROUTES}/series?run=a&tag=small").json()
    assert (listed["steps"], listed["index"]) == ([0, 10, 20], [0, 1, 2])
    newest = listed["newest"]
    assert [(sample["mime"], sample["width"], sample["fault"]) for sample in newest["samples"]] == [
        ("image/png", 4, "")
    ] * 2
    assert client.get(f"{ROUTES}/series?run=a&tag=gone").status_code == 404
    assert client.get(f"{ROUTES}/series?tag=small").json() == {
        "error": "missing parameter 'run'",
        "code": "missing_parameter",
    }


def test_a_large_image_is_reduced_and_a_small_one_unchanged(client: TestClient) -> None:
    answer = client.get(address("thumbnail", "photo", side=100))
    assert answer.headers["content-type"] == "image/jpeg"
    assert "immutable" in answer.headers["cache-control"]
    # The side is rounded up, and the aspect ratio stays.
    assert Image.open(BytesIO(answer.content)).size == (128, 96)
    small = client.get(address("thumbnail", "small", 2, side=64, sample=1))
    assert np.asarray(Image.open(BytesIO(small.content)))[0, 0].tolist() == [2, 2, 2]
    assert client.get(address("thumbnail", "small", sample=2)).status_code == 404
    assert client.get(address("thumbnail", "small", side="x")).status_code == 400


def test_the_thumbnail_of_a_gif_is_animated(client: TestClient) -> None:
    answer = client.get(address("thumbnail", "moving", side=64))
    assert Image.open(BytesIO(answer.content)).n_frames == 3


def test_an_image_with_another_wall_time_is_not_found(client: TestClient) -> None:
    gone = client.get(f"{ROUTES}/thumbnail?run=a&tag=small&index=1&wall=5")
    assert gone.status_code == 404
    assert "request the list again" in gone.json()["error"]


@pytest.mark.parametrize(
    ("tag", "sentence"),
    [
        ("bomb", "too large to be drawn: 30,000 × 30,000 pixels"),
        ("cut", "the PNG is cut off"),
        ("evil", "unknown type of image or video"),
    ],
)
def test_an_image_that_cannot_be_drawn_has_a_reason(client: TestClient, tag: str, sentence: str) -> None:
    answer = client.get(address("thumbnail", tag, side=64))
    assert answer.status_code == 422
    assert sentence in answer.json()["error"]
    (sample,) = client.get(address("step", tag)).json()["samples"]
    assert sentence in sample["fault"]
    assert sample["is_shown"] == (tag == "cut")


def test_a_step_without_images_has_a_reason(client: TestClient) -> None:
    assert client.get(address("step", "none")).json()["fault"].startswith("this step has no image")
    assert client.get(address("thumbnail", "none")).status_code == 404


def test_an_archive_has_every_image_and_no_path_that_escapes(client: TestClient) -> None:
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


def test_an_archive_of_a_step_has_the_image_that_each_series_shows(client: TestClient) -> None:
    answer = client.get(f"{ROUTES}/zip?tag=small&run=a&step=15")
    assert zipfile.ZipFile(BytesIO(answer.content)).namelist() == [
        "a/small/step_00000010_0.png",
        "a/small/step_00000010_1.png",
    ]
    assert client.get(f"{ROUTES}/zip?run=a").status_code == 400
    assert client.get(f"{ROUTES}/zip?tag=small&step=x").status_code == 400


def test_a_selection_too_long_for_a_url_is_sent_in_the_body(client: TestClient) -> None:
    body = {"tags": ["small"], "runs": ["a", *(f"gone {number}" for number in range(1000))], "step": 0}
    answer = client.post(f"{ROUTES}/zip", json=body)
    assert len(zipfile.ZipFile(BytesIO(answer.content)).namelist()) == 2
    for body in ("", "[]", '{"tags": 3}', '{"tags": [], "attempts": "some"}'):
        assert client.post(f"{ROUTES}/zip", content=body).status_code == 400


def test_the_cache_drops_the_least_recently_used() -> None:
    cache = BoundedCache(limit_bytes=10)
    for name in "abc":
        cache.put(name, image.EncodedImage("", name.encode() * 4))
        cache.get("a")
    assert [name for name in "abc" if cache.get(name)] == ["a", "c"]
    cache.put("huge", image.EncodedImage("", b"x" * 11))
    assert cache.size_bytes == 8


@pytest.mark.timed
def test_few_images_are_decoded_at_a_time_and_large_ones_wait_for_each_other_only() -> None:
    decoding = DecodingThreads()
    light, heavy, lock = [0, 0], [0, 0], threading.Lock()  # running now, and the maximum
    is_heavy_begun, may_end = threading.Event(), threading.Event()

    def work(counts: list[int], pixels: int, max_pixels: int | None) -> None:
        check_weight(pixels, max_pixels)
        with lock:
            counts[0] += 1
            counts[1] = max(counts)
        if pixels > MAX_LIGHT_PIXELS:
            is_heavy_begun.set()
            assert may_end.wait(30)
        with lock:
            counts[0] -= 1

    async def all_of_them() -> None:
        large = [asyncio.create_task(decoding.run(partial(work, heavy, 60_000_000))) for _ in range(5)]
        await asyncio.to_thread(is_heavy_begun.wait, 30)
        await asyncio.gather(*(decoding.run(partial(work, light, 1_000_000)) for _ in range(40)))
        assert not any(task.done() for task in large)
        may_end.set()
        await asyncio.gather(*large)

    asyncio.run(all_of_them())
    assert 1 <= light[1] <= 2
    assert heavy[1] == 1


def test_the_cache_of_thumbnails_stays_bounded() -> None:
    thumbnails = Thumbnails(BoundedCache(limit_bytes=100_000))
    photo = image.EncodedImage("image/png", image.png(PHOTO))
    for number in range(40):
        thumbnails.get(number, lambda: photo, side=128)
    assert 0 < thumbnails.cache.size_bytes <= 100_000


def saved(form: str, *, side: int = 40, **options: Any) -> bytes:
    out = BytesIO()
    Image.new("RGB", (side, side)).save(out, form, **options)
    return out.getvalue()


def with_screen(gif: bytes, width: int, height: int) -> bytes:
    return gif[:6] + struct.pack("<HH", width, height) + gif[10:]


def frame_of(side: int, *, disposal: int = 0) -> bytes:
    """A frame of a GIF that claims side × side pixels and has none."""
    control = b"\x21\xf9\x04" + bytes([disposal << 2]) + b"\x0a\0\0\0"
    return control + b"\x2c\0\0\0\0" + struct.pack("<HH", side, side) + b"\0\x02\x02\x44\x01\0"


HEAD = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff"
HEADER = chunk(b"IHDR", struct.pack(">IIBBBBB", 100, 100, 8, 0, 0, 0, 0))
LARGER_THAN_THEY_SAY = {
    "a GIF whose frames reach beyond its screen": HEAD + frame_of(1) + frame_of(13_000) + b";",
    "a GIF that clears more than its screen": HEAD + frame_of(13_000, disposal=2) + frame_of(1) + b";",
    "a PNG whose size stands behind another chunk": bomb(13_000)[:8] + chunk(b"prIv", b"\0\0\0\1" * 5) + bomb(13_000)[8:],
    "a PNG with two sizes": bomb(13_000)[:8] + HEADER + bomb(13_000)[8:],
    "a JPEG with two sizes": saved("JPEG").replace(
        b"\xff\xc0", b"\xff\xc0\0\x0b\x08\0\x01\0\x01\x01\x01\x11\0\xff\xc0", 1
    )[:-2].replace(struct.pack(">HH", 40, 40), struct.pack(">HH", 20_000, 20_000), 1) + b"\xff\xd9",
    "a WebP of many pixels": saved("WEBP", lossless=True, side=5_000),
}  # fmt: skip


@pytest.mark.parametrize("name", LARGER_THAN_THEY_SAY)
def test_pictures_larger_than_their_header_says_are_not_decoded(name: str) -> None:
    data = LARGER_THAN_THEY_SAY[name]
    with pytest.raises(UnreadableImageError, match=r"does not say how large|too large to be drawn|after all"):
        Thumbnails().get(name, lambda: image.EncodedImage(image.sniff(data), data), side=64)


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP", "BMP"])
def test_any_damage_to_a_picture_is_reported_as_unreadable(form: str) -> None:
    data = animation(3, side=30) if form == "GIF" else saved(form)
    random = Random(7)
    broken = [data[:length] for length in range(0, len(data), max(1, len(data) // 60))]
    for _ in range(300):
        changed = bytearray(data)
        for _ in range(random.randint(1, 4)):
            changed[random.randrange(12, len(data))] = random.randrange(256)
        broken.append(bytes(changed))
    for case in broken:
        is_animated(case)
        with suppress(UnreadableImageError):
            Thumbnails().get(case, lambda case=case: image.EncodedImage(image.sniff(case), case), side=16)  # type: ignore[misc]
        with suppress(Exception):  # Frames reports all of them as unreadable
            list(decoded_frames(case, 2))


def test_a_damaged_gif_does_not_affect_others(tmp_path: Path) -> None:
    moving = animation(3)
    damaged = {"cut": moving[:300], "head": moving[:14], "huge": HEAD + frame_of(9_000) * 300 + b";", "ok": moving}
    with EventFile(tmp_path / "a", wall_time=1000.0) as file:
        pictures = [image.encode_files(tag, [data], width=1, height=1) for tag, data in damaged.items()]
        file.append(event_record(pictures, step=0, wall_time=1000.0))
    with (
        Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store,
        TestClient(create_app(store), base_url="http://localhost", raise_server_exceptions=False) as client,
    ):
        assert store.wait_loaded(30)
        assert [found["tag"] for found in client.get("/api/dashboards/video/tags").json()["tags"]] == ["huge", "ok"]
        for tag in damaged:
            wanted = 200 if tag == "ok" else 422
            assert client.get(address("frame", tag, frame=2)).status_code in (wanted, 404), tag
            assert client.get(address("frames", tag)).status_code < 500
            assert client.get(address("thumbnail", tag)).status_code < 500
            assert client.get(address("step", tag)).status_code == 200


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_mode_of_png_can_be_reduced(mode: str) -> None:
    from seamark.dashboards.images.thumbnails import shrink

    grey = np.arange(300, dtype=np.uint16)[None, :] * np.ones((300, 1), np.uint16) * 200
    out = BytesIO()
    picture = Image.fromarray(grey) if mode == "I;16" else Image.fromarray((grey >> 8).astype(np.uint8)).convert(mode)
    picture.save(out, "PNG")
    small = np.asarray(Image.open(BytesIO(shrink(out.getvalue(), 64).data)).convert("L"))
    assert small.shape == (64, 64)
    # Dark on the left, bright on the right, whatever the depth.
    assert small[:, :8].mean() < 60 < 160 < small[:, -8:].mean()


def test_only_animated_images_are_videos(client: TestClient) -> None:
    (video,) = client.get("/api/dashboards/video/tags").json()["tags"]
    assert (video["tag"], sorted(video["runs"])) == ("moving", ["a", "b_.._..x"])


def test_the_frames_of_a_gif(client: TestClient) -> None:
    assert client.get(address("frames", "moving")).json() == {"durations_ms": [100, 100, 100]}
    second = client.get(address("frame", "moving", frame=1))
    assert Image.open(BytesIO(second.content)).convert("RGB").getpixel((5, 5)) == (20, 0, 0)
    assert client.get(address("frame", "moving", frame=3)).status_code == 404
    assert client.get(address("frames", "photo")).status_code == 422
