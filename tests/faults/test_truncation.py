"""A file truncated at every byte: complete records are read, and growing adds exactly the rest."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path

from seamark.store import Store

from . import logs

LOG = logs.small_log(4)
STARTS = LOG.starts()
EVERYTHING = range(len(LOG.records))


def run_name(cut: int) -> str:
    return f"cut-{cut:05d}"


def write_cuts(logdir: Path) -> range:
    """Writes one run per length, from an empty to the complete file, so that one store reads them all."""
    cuts = range(len(LOG.data) + 1)
    for cut in cuts:
        logs.write(logdir, run_name(cut), LOG.data[:cut])
    return cuts


def check_whole(store: Store, cuts: range) -> None:
    for cut in cuts:
        assert logs.shown_rows(store, run_name(cut)) == LOG.rows_of(EVERYTHING), cut
        assert logs.shown_texts(store, run_name(cut)) == LOG.texts_of(EVERYTHING), cut
    assert store.problems() == []


def test_complete_records_before_the_cut_are_read(tmp_path: Path) -> None:
    cuts = write_cuts(tmp_path)
    store = logs.open_store(tmp_path, None)
    for cut in cuts:
        whole = range(bisect_right(STARTS, cut) - 1)
        assert logs.shown_rows(store, run_name(cut)) == LOG.rows_of(whole), cut
        assert logs.shown_texts(store, run_name(cut)) == LOG.texts_of(whole), cut
    # A partial tail is what a file looks like while it is written: not a problem.
    assert store.problems() == []
    store.close()


def test_a_second_start_reads_the_rest_once(tmp_path: Path) -> None:
    cuts = write_cuts(tmp_path / "logs")
    logs.open_store(tmp_path / "logs", tmp_path / "index").close()
    for cut in cuts:
        with (tmp_path / "logs" / run_name(cut) / logs.FILE_NAME).open("ab") as file:
            file.write(LOG.data[cut:])
    store = logs.open_store(tmp_path / "logs", tmp_path / "index")
    check_whole(store, cuts)
    store.close()


def test_a_following_store_reads_the_rest_once(tmp_path: Path) -> None:
    cuts = write_cuts(tmp_path)
    store = logs.open_store(tmp_path, None, follow=True)
    subscription = store.subscribe()
    for cut in cuts:
        with (tmp_path / run_name(cut) / logs.FILE_NAME).open("ab") as file:
            file.write(LOG.data[cut:])
    wanted = len(cuts) * len(LOG.rows_of(EVERYTHING))
    while sum(info.points for info in store.runs()) < wanted:
        assert subscription.get(30) is not None, "nothing new for half a minute"
    check_whole(store, cuts)
    subscription.close()
    store.close()
