"""The clips of a step: sanitised labels, lengths and problems."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from starlette.applications import Starlette
from starlette.testclient import TestClient

from seamark.dashboards.audio.routes import endpoints
from seamark.format.messages import Summary
from seamark.kinds import audio
from seamark.kinds.summary import event_record
from seamark.plugin import Context, as_routes
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile

SECOND = np.zeros((2, 8000, 1))


def test_clips_of_a_step_with_labels_and_problems(tmp_path: Path) -> None:
    bad = audio.wav(SECOND[0], sample_rate_hz=8000)
    bad = bad[:24] + b"\0\0\0\0" + bad[28:]
    old = Summary.Value(tag="old", audio=Summary.Audio(encoded_audio_string=audio.wav(SECOND[0], sample_rate_hz=4000)))
    values = [
        audio.encode("pair", SECOND, sample_rate_hz=8000, labels=["**left**", "<script>x</script>"]),
        audio.encode_files("bad", [bad, b"<html>", b""]),
        old,
    ]
    with EventFile(tmp_path / "a") as file:
        file.append(event_record(values, step=1, wall_time=1000.0))
    store = Store([LogRoot("", tmp_path)], index_dir=None, follow=False)
    store.start()
    try:
        assert store.wait_loaded(30)
        client = TestClient(Starlette(routes=as_routes(endpoints(Context(store)))))
        pair = client.get("/clips?run=a&tag=pair&index=0").json()["clips"]
        assert [clip["label"] for clip in pair] == ["<p><strong>left</strong></p>", "&lt;script&gt;x&lt;/script&gt;"]
        assert (pair[0]["seconds"], pair[0]["channels"], pair[0]["format"]) == (1.0, 1, "WAV")
        problems = [clip["problem"] for clip in client.get("/clips?run=a&tag=bad&index=0").json()["clips"]]
        assert "0 samples per second" in problems[0]
        assert problems[1:] == ["not a WAV, FLAC, Ogg or MP3 file: it begins with b'<html>'", "the clip is empty"]
        [legacy] = client.get("/clips?run=a&tag=old&index=0").json()["clips"]
        assert (legacy["seconds"], legacy["sample_rate_hz"], legacy["label"]) == (2.0, 4000, "")
        assert client.get("/clips?run=a&tag=pair&index=9").status_code == 404
        assert client.get("/clips?run=a&tag=pair").json() == {
            "error": "missing parameter 'index'",
            "code": "missing_parameter",
        }
        assert client.get("/clips?run=a&tag=pair&index=x").status_code == 400
    finally:
        store.close()
