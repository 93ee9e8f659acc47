"""The recorder's queue: order, limits and disk errors."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from seamark import _core
from seamark.format.messages import Event, Summary
from seamark.write.queue import recorder as recorder_module
from seamark.write.queue.recorder import Recorder
from seamark.write.test_support import logged_warnings


def tags_in(folder: Path) -> list[str]:
    return [event.summary.value[0].tag for event in events_in(folder) if event.summary.value]


def events_in(folder: Path) -> list[Event]:
    found = []
    # Names end in a counter without leading zeros.
    for path in sorted(folder.glob("*tfevents*"), key=lambda each: (len(each.name), each.name)):
        data = path.read_bytes()
        records = _core.unframe(data)
        assert b"".join(map(_core.frame, records)) == data, "every byte belongs to an intact record"
        found += [Event.FromString(record) for record in records]
    return found


def event(tag: str) -> bytes:
    return Event(summary=Summary(value=[Summary.Value(tag=tag)])).SerializeToString()


def add_scalar(recorder: Recorder, tag: str) -> None:
    recorder.signal(recorder.add_scalar(tag, 1.0, 1, 1.0))


def test_a_new_recorder_has_a_file_and_no_thread(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path)
    assert [event.file_version for event in events_in(tmp_path)] == ["brain.Event:2"]
    assert "seamark-writer" not in {thread.name for thread in threading.enumerate() if thread is recorder._thread}
    assert recorder.flush() and recorder.close()


def test_scalars_and_payloads_are_in_the_file_in_the_order_of_the_calls(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path)
    for number in range(50):
        add_scalar(recorder, f"scalar{number}")
        if number % 3 == 0:
            recorder.add_payload(lambda number=number: event(f"payload{number}"), 10)
        if number % 7 == 0:
            recorder.add_event(event(f"event{number}"))
    recorder.close()
    want = []
    for number in range(50):
        want += [f"scalar{number}"] + [f"payload{number}"] * (number % 3 == 0) + [f"event{number}"] * (number % 7 == 0)
    assert tags_in(tmp_path) == want


def test_each_threads_own_events_stay_in_order(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path, flush_secs=0)

    def log(name: str) -> None:
        for number in range(300):
            tag = f"{name}/{number:03}"
            if number % 10 == 0:
                recorder.add_payload(lambda tag=tag: event(tag), 1)
            else:
                add_scalar(recorder, tag)

    threads = [threading.Thread(target=log, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert recorder.close()
    tags = tags_in(tmp_path)
    for name in "abcd":
        assert [tag for tag in tags if tag.startswith(name)] == [f"{name}/{number:03}" for number in range(300)]


def test_events_after_close_go_to_a_new_file(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path)
    add_scalar(recorder, "before")
    assert recorder.close() and recorder.close()
    add_scalar(recorder, "after")
    assert recorder.close()
    assert len(list(tmp_path.iterdir())) == 2
    assert tags_in(tmp_path) == ["before", "after"]


def test_many_threads_close_and_log_and_nothing_is_lost(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path)

    def log(name: str) -> None:
        for number in range(20):
            add_scalar(recorder, f"{name}{number}")
            recorder.close()

    threads = [threading.Thread(target=log, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    recorder.close()
    assert sorted(tags_in(tmp_path)) == sorted(f"{name}{number}" for name in "abc" for number in range(20))


def wait_for(is_true: Callable[[], bool], timeout_secs: float = 60) -> bool:
    deadline = time.monotonic() + timeout_secs
    while not is_true() and time.monotonic() < deadline:
        time.sleep(0.01)
    return is_true()


@pytest.mark.timed
def test_points_are_written_without_a_flush(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The pause after a failed write is none of the pauses between good ones.
    monkeypatch.setattr(recorder_module, "RETRY_SECS", 1e6)
    recorder = Recorder(tmp_path)
    for number in range(3):
        add_scalar(recorder, f"s{number}")
        recorder.add_payload(lambda number=number: event(f"p{number}"), 10)
        assert wait_for(lambda number=number: b"p%d" % number in Path(recorder.path).read_bytes())
    recorder.close()
    assert tags_in(tmp_path) == ["s0", "p0", "s1", "p1", "s2", "p2"]


def test_a_full_queue_drops_the_newest_counts_them_and_warns_once(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path, max_scalar_bytes=1000, max_payload_bytes=100)
    with recorder._drain_lock, logged_warnings("newest are dropped") as caught:
        for number in range(100):
            add_scalar(recorder, f"s{number}")
        for number in range(10):
            recorder.add_payload(lambda number=number: event(f"p{number}"), 30)
    assert len(caught) == 1
    assert recorder.close()
    kept = tags_in(tmp_path)
    scalars = [tag for tag in kept if tag[0] == "s"]
    assert scalars == [f"s{number}" for number in range(len(scalars))]
    assert [tag for tag in kept if tag[0] == "p"] == ["p0", "p1", "p2"]
    assert recorder.dropped == 110 - len(kept)


def test_a_payload_that_cannot_be_encoded_is_skipped(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path)
    with logged_warnings(r"skipped \(ZeroDivisionError"):
        recorder.add_payload(lambda: bytes(1 // 0), 10)
        add_scalar(recorder, "after")
        assert recorder.close()
    assert tags_in(tmp_path) == ["after"]
    assert recorder.dropped == 1


def test_a_logging_handler_that_raises_does_not_end_the_thread(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path)
    handler = logging.Handler()
    handler.emit = lambda record: 1 // 0  # type: ignore[assignment, return-value, method-assign]
    logging.getLogger("seamark").addHandler(handler)
    try:
        recorder.add_payload(lambda: bytes(1 // 0), 10)
        add_scalar(recorder, "after")
        assert recorder.close()
    finally:
        logging.getLogger("seamark").removeHandler(handler)
    assert tags_in(tmp_path) == ["after"]


def test_a_folder_that_cannot_be_created_raises_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OSError, match="file"):
        Recorder(tmp_path / "file" / "run")
