"""Clips as a person hears and sees them: waveform and spectrogram, a loop, two runs at the same moment, broken files."""

from __future__ import annotations

import re
import wave
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Locator, Page, expect

from seamark import _core
from seamark.format.messages import Summary
from seamark.kinds import audio
from seamark.kinds.summary import event_record
from seamark.write.append.event_file import EventFile
from tests.e2e.conftest import OpenPage, pick, press
from tests.e2e.links import link_of

BEGAN = 1_700_000_000.0
RATE = 16_000
# A clip that still plays when a busy machine gets to the next click.
LONG_SECONDS = 50
PLAYED_PAST = "time => Number(document.querySelector('article .wave').getAttribute('aria-valuenow')) > time"


def sine(hz: float, *, seconds: float = 1.0, amplitude: float = 0.5, rate: int = RATE) -> NDArray[np.float64]:
    at = np.arange(round(seconds * rate)) / rate
    return np.asarray(amplitude * np.sin(2 * np.pi * hz * at))


def log(folder: Path, values: Sequence[Summary.Value], *, every: int = 10) -> None:
    with EventFile(folder) as file:
        for place, value in enumerate(values):
            file.append(event_record(value, step=place * every, wall_time=BEGAN + place))


def card(page: Page, tag: str, run: str) -> Locator:
    return page.get_by_role("article", name=f"{tag}, {run}", exact=True)


def position(one: Locator) -> Locator:
    """The pictures, which are also the slider over the clip's time."""
    return one.locator(".wave")


def drawn(one: Locator) -> Locator:
    expect(position(one)).not_to_have_attribute("data-drawn", "0")
    return position(one)


def pixel(canvas: Locator, x: float, y: float) -> list[int]:
    """Red, green and blue, from a copy: to read a canvas twice makes the browser complain."""
    found: list[int] = canvas.evaluate(
        """(canvas, [x, y]) => { const copy = document.createElement('canvas');
            copy.width = copy.height = 1;
            const pen = copy.getContext('2d');
            pen.drawImage(canvas, -Math.round(canvas.width * x), -Math.round(canvas.height * y));
            return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3) }""",
        [x, y],
    )
    return found


def test_clips_of_tensorboardx(address: str, open_page: OpenPage, logdir: Path) -> None:
    pytest.importorskip("soundfile", reason="tensorboardX needs it for audio")
    from tensorboardX import SummaryWriter

    with SummaryWriter(str(logdir / "a")) as writer:
        writer.add_audio("tone", sine(1000)[:, None].astype(np.float32), 3, sample_rate=RATE)
    page = open_page(address + "#audio")
    expect(card(page, "tone", "a")).to_contain_text("step 3 · 1.00 s · 16 kHz · mono · peak -6.0 dB")


def test_clips_of_torch_and_ours_with_their_numbers(address: str, open_page: OpenPage, logdir: Path) -> None:
    import torch
    from torch.utils.tensorboard import SummaryWriter

    with SummaryWriter(str(logdir / "torch")) as writer:
        writer.add_audio("tone", torch.tensor(sine(1000)), 3, sample_rate=RATE)
    log(logdir / "ours", [audio.encode("tone", np.stack([sine(1000)] * 2, 1), sample_rate_hz=RATE)])
    page = open_page(address + "#audio")
    for run, channels in (("torch", "mono"), ("ours", "stereo")):
        one = card(page, "tone", run)
        drawn(one)
        expect(one).to_contain_text(f"1.00 s · 16 kHz · {channels} · peak −6.0 dB".replace("−", "-"))
    expect(card(page, "tone", "torch")).to_contain_text("step 3")


def test_tensorflows_old_form(address: str, open_page: OpenPage, logdir: Path) -> None:
    from tensorboard.compat.proto import event_pb2, summary_pb2

    old = summary_pb2.Summary()
    encoded = audio.wav(sine(500, rate=8000)[:, None], sample_rate_hz=8000)
    clip = summary_pb2.Summary.Audio(
        sample_rate=8000, num_channels=1, length_frames=8000, encoded_audio_string=encoded, content_type="audio/wav"
    )
    old.value.add(tag="old/audio/0", audio=clip)
    with EventFile(logdir / "tf") as file:
        event = event_pb2.Event(step=5, wall_time=BEGAN, summary=old)
        file.append(_core.frame(event.SerializeToString()))
    page = open_page(address + "#audio")
    expect(page.get_by_role("article")).to_contain_text("step 5 · 1.00 s · 8 kHz · mono")


def test_the_spectrogram_shows_where_the_sound_is(address: str, open_page: OpenPage, logdir: Path) -> None:
    log(logdir / "a", [audio.encode("tone", sine(2000), sample_rate_hz=RATE)])
    page = open_page(address + "#audio")
    one = card(page, "tone", "a")
    box = drawn(one).locator(".spectrum").bounding_box()
    assert box is not None
    # 2 kHz of 8 is a quarter of the way up.
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.745)
    reading = one.locator(".reading")
    expect(reading).to_have_text(re.compile(r"^0\.5\d s · (2(\.0\d*)? kHz|19\d\d Hz|1\.9\d* kHz) · -1?\d dB$"))
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.1)
    expect(reading).to_have_text(re.compile(r" · -([6-9]\d|\d{3}) dB$"))
    loud, quiet_colour = (pixel(one.locator(".spectrum canvas"), 0.5, y) for y in (0.745, 0.1))
    assert sum(loud) < sum(quiet_colour) - 200  # on a light page the loud is dark
    tall = one.locator(".lane canvas").first.evaluate(
        """canvas => { const { width, height } = canvas; let filled = 0;
            const { data } = canvas.getContext('2d').getImageData(width / 2, 0, 1, height);
            for (let y = 0; y < height; y += 1) if (data[4 * y + 3] > 128) filled += 1;
            return filled / height }"""
    )
    assert 0.4 < tall < 0.6  # an amplitude of a half


def test_it_plays_seeks_and_repeats_a_part(address: str, open_page: OpenPage, logdir: Path) -> None:
    log(logdir / "a", [audio.encode("tone", sine(300, seconds=LONG_SECONDS), sample_rate_hz=RATE)])
    page = open_page(address + "#audio")
    one = card(page, "tone", "a")
    box = drawn(one).bounding_box()
    assert box is not None
    middle = box["y"] + 10
    page.mouse.click(box["x"] + box["width"] / 2, middle)
    expect(position(one)).to_have_attribute("aria-valuetext", re.compile(r"^(24\.[6-9]|25\.[0-4])\d s of 50\.00 s"))
    one.get_by_role("button", name="Play sound").click()
    expect(one.get_by_role("button", name="Pause sound")).to_be_visible()
    page.wait_for_function(PLAYED_PAST, arg=25.6)
    one.get_by_role("button", name="Pause sound").click()
    page.mouse.move(box["x"] + box["width"] * 0.25, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.27, middle, steps=4)
    page.mouse.up()
    expect(one.get_by_role("button", name=re.compile(r"12\.\d\d s – 13\.\d\d s"))).to_be_visible()
    one.get_by_role("button", name="Play sound").click()
    # It goes round: the position falls back while it plays, and never leaves the part by more than a moment.
    seen = page.evaluate(
        """() => new Promise(done => { const seen = []; let falls = 0; const look = () => {
            const now = Number(document.querySelector('article .wave').getAttribute('aria-valuenow'));
            if (seen.length && now < seen.at(-1)) falls += 1;
            seen.push(now); if (falls >= 2 || seen.length > 2000) done({ falls, most: Math.max(...seen) });
            else requestAnimationFrame(look); }; look(); })"""
    )
    assert seen["falls"] >= 2
    page.wait_for_url(re.compile("loop"))
    again = open_page(link_of(page))
    expect(card(again, "tone", "a").get_by_role("button", name=re.compile(r"12\.\d\d s – 13\.\d\d s"))).to_be_visible()


def test_two_runs_at_the_same_moment(address: str, open_page: OpenPage, logdir: Path) -> None:
    log(logdir / "a", [audio.encode("tone", sine(300, seconds=LONG_SECONDS), sample_rate_hz=RATE)])
    log(logdir / "b", [audio.encode("tone", sine(300, seconds=LONG_SECONDS, amplitude=0.25), sample_rate_hz=RATE)])
    page = open_page(address + "#audio")
    one = card(page, "tone", "a")
    drawn(one).focus()
    for _ in range(3):
        page.keyboard.press("Shift+ArrowRight")
    expect(position(one)).to_have_attribute("aria-valuenow", "15")
    pick(one, "Compare with run", "b")
    one.get_by_role("button", name="B", exact=True).click()
    expect(one).to_contain_text("peak -12.0 dB")
    expect(position(one)).to_have_attribute("aria-label", "Position in tone, b")
    expect(position(one)).to_have_attribute("aria-valuenow", "15")
    one.get_by_role("button", name="Play sound").click()
    page.wait_for_function(PLAYED_PAST, arg=15.1)
    one.get_by_role("button", name="A", exact=True).click()
    expect(one).to_contain_text("peak -6.0 dB")
    expect(one.get_by_role("button", name="Pause sound")).to_be_visible()
    # A single read: a sound that began again would get here too, only later.
    assert float(position(one).get_attribute("aria-valuenow") or 0) > 15.1


def test_labels_samples_and_steps(address: str, open_page: OpenPage, logdir: Path) -> None:
    clips = np.stack([sine(300)[:, None], sine(600)[:, None]])
    labels = ["the **first** <img src=x onerror=alert(1)>", "second: $x^2$"]
    values = [
        audio.encode("tone", clips * factor, sample_rate_hz=RATE, labels=labels) for factor in (0.5, 1.0)
    ]  # fmt: skip
    log(logdir / "a", values)
    page = open_page(address + "#audio")
    one = card(page, "tone", "a")
    expect(one.locator(".label strong")).to_have_text("first")
    assert one.locator(".label img").count() == 0
    expect(one).to_contain_text("step 10 · 1.00 s · 16 kHz · mono · peak -6.0 dB")
    one.get_by_label("Clip of tone, a").select_option("1")
    expect(one.locator(".label .katex")).to_be_attached()
    press(one.get_by_role("slider", name="Step of tone, a"), "ArrowLeft")
    expect(one).to_contain_text("step 0")
    expect(one).to_contain_text("peak -12.0 dB")
    with page.expect_download() as saved:
        one.hover()
        one.get_by_role("link", name="Download").click()
    assert saved.value.suggested_filename == "tone_0.wav"
    with wave.open(BytesIO(Path(saved.value.path()).read_bytes())) as file:
        assert (file.getframerate(), file.getnframes()) == (RATE, RATE)


def test_a_wrong_header_is_said_in_its_card(address: str, open_page: OpenPage, logdir: Path) -> None:
    good = audio.wav(sine(300)[:, None], sample_rate_hz=RATE)
    log(logdir / "a", [audio.encode_files("rate", [good[:24] + b"\0\0\0\0" + good[28:]])])
    log(logdir / "b", [audio.encode_files("html", [b"<script>alert(1)</script>"])])
    log(logdir / "c", [audio.encode_files("cut", [good[: len(good) // 2]])])
    log(logdir / "d", [audio.encode("good", sine(300), sample_rate_hz=RATE)])
    page = open_page(address + "#audio")
    expect(card(page, "rate", "a").get_by_role("alert")).to_contain_text("The WAV header says 0 samples per second.")
    expect(card(page, "html", "b").get_by_role("alert")).to_contain_text("Not a WAV, FLAC, Ogg or MP3 file")
    expect(card(page, "cut", "c")).to_contain_text("the end is missing")
    drawn(card(page, "cut", "c"))
    drawn(card(page, "good", "d"))


def test_without_clips_the_page_says_how_to_log_one(address: str, open_page: OpenPage, logdir: Path) -> None:
    with EventFile(logdir / "a") as file:
        file.add_scalar("loss", 1.0, 0)
    page = open_page(address + "#audio")
    expect(page.get_by_role("main")).to_contain_text("No sounds yet")
    expect(page.get_by_role("main")).to_contain_text("writer.add_audio")
