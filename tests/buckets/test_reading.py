"""Log directories in a bucket, with real S3 servers: SeaweedFS and moto."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import obstore
import pytest

import seamark
from seamark import SummaryWriter, _core
from seamark.format.types import RunName, Tag
from seamark.store import Store, parse_logdir
from seamark.store.buckets import listing
from seamark.store.buckets.objects import LIST_PAGE
from seamark.store.test_support import has_steps, wait_until
from tests.buckets.bucket import Bucket, log
from tools.fault_proxy import SLOW_DOWN, Answer, Seen

RUN, LOSS = RunName("a"), Tag("loss")


def test_open_reads_a_bucket(bucket: Bucket, tmp_path: Path) -> None:
    log(tmp_path / "logs" / "a", 1, 2, 3)
    log(tmp_path / "logs" / "deep" / "b", 4)
    bucket.upload(tmp_path / "logs")
    runs = seamark.open(bucket.address)
    assert sorted(run.name for run in runs) == ["a", "deep/b"]
    assert runs["a"].scalars("loss").step.tolist() == [1, 2, 3]


def test_growth_new_runs_and_an_outage_are_followed(bucket: Bucket, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    log(logs / "a", 1)
    bucket.upload(logs)
    roots = parse_logdir(bucket.address)
    with Store(roots, index_dir=tmp_path / "index", reload_secs=0.2) as store:
        wait_until(store, lambda: has_steps(store, [1], RUN, LOSS))
        log(logs / "a", 2)
        log(logs / "b", 7)
        bucket.upload(logs)
        wait_until(store, lambda: has_steps(store, [1, 2], RUN, LOSS))
        wait_until(store, lambda: has_steps(store, [7], RunName("b"), LOSS))
        bucket.proxy.stop()
        wait_until(store, lambda: bool(store.problems()))
        (problem,) = store.problems()
        assert problem.message.startswith(
            f"the bucket cannot be read (it does not answer): '{bucket.address}'; shown is what it had at"
        )
        assert has_steps(store, [1, 2], RUN, LOSS)
    # A second start without the bucket shows what is known, and the rest when it is back.
    with Store(roots, index_dir=tmp_path / "index", reload_secs=0.2) as store:
        wait_until(store, lambda: has_steps(store, [7], RunName("b"), LOSS))
        wait_until(store, lambda: bool(store.problems()))
        assert "shown is what was read earlier" in store.problems()[0].message
        log(logs / "a", 3)
        bucket.upload(logs)
        bucket.proxy.start()
        wait_until(store, lambda: has_steps(store, [1, 2, 3], RUN, LOSS))
        wait_until(store, lambda: store.problems() == [])


def test_a_bucket_beside_a_local_folder_and_another_bucket(bucket: Bucket, tmp_path: Path) -> None:
    log(tmp_path / "logs" / "one" / "a", 1)
    log(tmp_path / "logs" / "two" / "a", 2)
    bucket.upload(tmp_path / "logs")
    log(tmp_path / "local" / "a", 3)
    text = f"x:{bucket.address}/one,y:{bucket.address}/two,z:{tmp_path / 'local'}"
    with Store(parse_logdir(text), index_dir=tmp_path / "index", reload_secs=0.2) as store:
        for name, step in (("x/a", 1), ("y/a", 2), ("z/a", 3)):
            wait_until(store, lambda name=name, step=step: has_steps(store, [step], RunName(name), LOSS))
        bucket.proxy.stop()
        wait_until(store, lambda: len(store.problems()) == 2)
        log(tmp_path / "local" / "a", 4)  # the local folder is followed as before
        wait_until(store, lambda: has_steps(store, [3, 4], RunName("z/a"), LOSS))


def test_an_object_is_replaced_by_one_of_the_same_size(bucket: Bucket, tmp_path: Path) -> None:
    with SummaryWriter(str(tmp_path / "logs" / "a")) as writer:
        for step in range(5000):
            writer.add_scalar("loss", 0.5, step)
    (file,) = (tmp_path / "logs" / "a").iterdir()
    with SummaryWriter(str(tmp_path / "others" / "a")) as writer:
        for step in range(5000):
            writer.add_scalar("loss", 0.25 if step == 0 else 0.5, step)
    (other,) = (tmp_path / "others" / "a").iterdir()
    first, second = file.read_bytes(), other.read_bytes()
    assert len(first) == len(second) > 3 * (64 << 10)
    # They differ at the beginning only, which is not what is compared when an object grows.
    middle = _core.record_ends(first)[2500]
    second = second[:middle] + first[middle:]
    bucket.put(f"a/{file.name}", first)
    with Store(parse_logdir(bucket.address), index_dir=tmp_path / "index", reload_secs=0.2) as store:
        wait_until(store, lambda: has_steps(store, list(range(5000)), RUN, LOSS))
        assert store.scalars("a", "loss").first[0] == 0.5
        bucket.put(f"a/{file.name}", second)
        wait_until(store, lambda: store.scalars("a", "loss").first[0] == 0.25)
        wait_until(store, lambda: has_steps(store, list(range(5000)), RUN, LOSS))


def test_a_deleted_object_leaves(bucket: Bucket, tmp_path: Path) -> None:
    log(tmp_path / "logs" / "a", 1)
    log(tmp_path / "logs" / "b", 2)
    bucket.upload(tmp_path / "logs")
    with Store(parse_logdir(bucket.address), index_dir=tmp_path / "index", reload_secs=0.2) as store:
        wait_until(store, lambda: len(store.runs()) == 2)
        bucket.delete(next(key for key in bucket.objects() if key.startswith("b/")))
        wait_until(store, lambda: [run.name for run in store.runs()] == ["a"])
    assert [run.name for run in seamark.open(bucket.address)] == ["a"]


def test_an_object_that_is_refused_does_not_hide_the_others(bucket: Bucket, tmp_path: Path) -> None:
    log(tmp_path / "logs" / "a", 1)
    log(tmp_path / "logs" / "b", 2)
    bucket.upload(tmp_path / "logs")
    bucket.proxy.fault = lambda seen: Answer(403) if "/b/" in seen.path and not seen.is_listing else None
    with Store(parse_logdir(bucket.address), index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        assert [run.name for run in store.runs()] == ["a"]
        (problem,) = store.problems()
    assert problem.message.startswith("an object cannot be read (access is denied): 'b/")


@pytest.mark.parametrize("answer", [Answer(503, SLOW_DOWN), Answer(429)], ids=["503", "429"])
def test_a_rate_limit_is_met_with_pauses(bucket: Bucket, tmp_path: Path, answer: Answer) -> None:
    log(tmp_path / "logs" / "a", 1)
    bucket.upload(tmp_path / "logs")
    refused: list[float] = []

    def limit(seen: Seen) -> Answer | None:
        if len(refused) < 4:
            refused.append(time.monotonic())
            return answer
        return None

    bucket.proxy.fault = limit
    with Store(parse_logdir(bucket.address), index_dir=None, follow=False) as store:
        assert store.wait_loaded(60)
        assert has_steps(store, [1], RUN, LOSS)
        assert store.problems() == []
    pauses = [later - earlier for earlier, later in itertools.pairwise(refused)]
    assert min(pauses) > 0.05


def test_a_lasting_rate_limit_is_said_and_asked_more_rarely(bucket: Bucket, tmp_path: Path) -> None:
    log(tmp_path / "logs" / "a", 1)
    bucket.upload(tmp_path / "logs")
    bucket.proxy.fault = lambda seen: Answer(503, SLOW_DOWN)
    with Store(parse_logdir(bucket.address), index_dir=None, reload_secs=0.05) as store:
        wait_until(store, lambda: bool(store.problems()))
        assert "(it asks for fewer requests)" in store.problems()[0].message
        before, started = len(bucket.proxy.seen), time.monotonic()
        wait_until(store, lambda: len(bucket.proxy.seen) >= before + 5)
        assert (len(bucket.proxy.seen) - before) / (time.monotonic() - started) < 10
        bucket.proxy.fault = lambda seen: None
        wait_until(store, lambda: has_steps(store, [1], RUN, LOSS))
        wait_until(store, lambda: store.problems() == [])


def test_a_second_start_asks_for_the_list_only(bucket: Bucket, tmp_path: Path) -> None:
    log(tmp_path / "logs" / "run", 1)
    (file,) = (tmp_path / "logs" / "run").iterdir()
    store, content = bucket.server.store(bucket.prefix), file.read_bytes()
    count = LIST_PAGE + 1
    for number in range(count):
        obstore.put(store, f"r{number:04}/{file.name}", content)
    for gets in (count, 0):
        bucket.proxy.seen.clear()
        with Store(parse_logdir(bucket.address), index_dir=tmp_path / "index", follow=False) as opened:
            assert opened.wait_loaded(120)
            assert len(opened.runs()) == count
        assert (bucket.proxy.listings(), bucket.proxy.gets()) == (2, gets)


def test_a_large_bucket_is_listed_more_rarely_and_live_runs_are_followed(
    bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "MAX_REQUESTS_PER_SEC", 1e-3)  # as if the bucket were large
    log(tmp_path / "logs" / "a", 1)
    bucket.upload(tmp_path / "logs")
    with Store(parse_logdir(bucket.address), index_dir=None, reload_secs=0.1) as store:
        wait_until(store, lambda: has_steps(store, [1], RUN, LOSS))
        log(tmp_path / "logs" / "a", 2)
        bucket.upload(tmp_path / "logs")
        wait_until(store, lambda: has_steps(store, [1, 2], RUN, LOSS))
    prefixes = [seen.query["prefix"][0] for seen in bucket.proxy.seen if seen.is_listing]
    assert prefixes.count(f"{bucket.prefix}/") == 1
    assert set(prefixes[1:]) == {f"{bucket.prefix}/a/"}


def test_two_programs_share_a_copy(bucket: Bucket, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    log(logs / "a", 0)
    (file,) = (logs / "a").iterdir()
    roots = parse_logdir(bucket.address)
    bucket.upload(logs)
    with (
        Store(roots, index_dir=None, reload_secs=0.01) as first,
        Store(roots, index_dir=None, reload_secs=0.01) as second,
    ):
        content = file.read_bytes()
        for step in range(1, 20):
            log(tmp_path / "more" / str(step), step)
            (more,) = (tmp_path / "more" / str(step)).iterdir()
            content += more.read_bytes()
            bucket.put(f"a/{file.name}", content)
        for store in (first, second):
            wait_until(store, lambda store=store: has_steps(store, list(range(20)), RUN, LOSS))
            assert store.problems() == []
    (copied,) = roots[0].path.rglob("*tfevents*")
    assert copied.read_bytes() == content
