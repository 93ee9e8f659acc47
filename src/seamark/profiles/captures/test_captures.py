"""Which files are profiles, and how they make captures."""

import gzip
import os
from pathlib import Path

import pytest

from seamark.profiles.captures import file_search
from seamark.profiles.captures.find import Capture, find_captures

EVENTS = b'{"traceEvents": [{"ph": "X", "name": "a", "ts": 1, "dur": 1, "pid": 1, "tid": 1}]}'


def put(root: Path, *names: str, data: bytes = EVENTS) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)


def found(root: Path) -> dict[tuple[str, str], list[str]]:
    return {(capture.run, capture.name): [host.host for host in capture.hosts] for capture in find_captures(root)[0]}


def only(root: Path) -> Capture:
    (capture,) = find_captures(root)[0]
    return capture


def test_hosts_of_the_plugin_folder_make_one_capture(tmp_path: Path) -> None:
    put(tmp_path, *(f"run/plugins/profile/2026_11_14_14_31_08/host{n}.xplane.pb" for n in (10, 2)))
    assert found(tmp_path) == {("run", "2026_11_14_14_31_08"): ["host2", "host10"]}


def test_the_xplane_is_preferred_to_the_other_files_of_jax(tmp_path: Path) -> None:
    folder = "plugins/profile/2026_11_14_14_31_08"
    put(tmp_path, *(f"{folder}/{name}" for name in ("vm.xplane.pb", "vm.trace.json.gz", "perfetto_trace.json.gz")))
    assert [host.path for host in only(tmp_path).hosts] == [f"{folder}/vm.xplane.pb"]


def test_a_perfetto_trace_alone_is_a_capture(tmp_path: Path) -> None:
    put(tmp_path, "plugins/profile/2026_11_14_14_31_08/perfetto_trace.json.gz")
    assert len(only(tmp_path).hosts) == 1


def test_tables_of_old_tools_count_only_without_a_trace(tmp_path: Path) -> None:
    put(tmp_path, "a/plugins/profile/t/vm.overview_page.pb", "a/plugins/profile/t/vm.kernel_stats.pb")
    put(tmp_path, "b/plugins/profile/t/vm.overview_page.pb", "b/plugins/profile/t/vm.xplane.pb")
    put(tmp_path, "c/vm.overview_page.pb")
    forms = {capture.run: [host.form for host in capture.hosts] for capture in find_captures(tmp_path)[0]}
    assert forms == {"a": ["tool"], "b": ["xplane"]}


def test_workers_of_torch_that_write_together_make_one_capture(tmp_path: Path) -> None:
    put(
        tmp_path,
        "vm_1.1731592268000.pt.trace.json",
        "vm_2.1731592269500.pt.trace.json.gz",
        "vm_1.1731592273000.pt.trace.json",
        "vm_2.1731592273100.pt.trace.json",
        "vm_1.1731599999000000000.pt.trace.json",
    )
    captures = find_captures(tmp_path)[0]
    assert [[host.host for host in capture.hosts] for capture in captures] == [
        ["vm_1"],
        ["vm_1", "vm_2"],
        ["vm_1", "vm_2"],
    ]
    assert [capture.time for capture in captures] == [1731599999.0, 1731592273.0, 1731592268.0]


def test_ranks_in_names_make_one_capture(tmp_path: Path) -> None:
    put(tmp_path, *(f"rank-{rank}.Apr_03_18_51_38.{1102 + rank}.pt.trace.json" for rank in (0, 1, 10, 2)))
    assert list(found(tmp_path).values()) == [["rank 0", "rank 1", "rank 2", "rank 10"]]


def test_a_trace_belongs_to_the_run_that_it_is_in(tmp_path: Path) -> None:
    put(tmp_path, "run/events.out.tfevents.1.vm", "run/traces/a/x.pt.trace.json", "other/y.trace.json")
    assert found(tmp_path) == {("run", "traces/a/x"): ["x"], ("other", "y"): ["y"]}


def test_other_json_files_count_if_they_begin_with_events(tmp_path: Path) -> None:
    put(tmp_path, "plain.json", "timeline-50.json", "packed.json.gz")
    put(tmp_path, "array.json", data=b'[\n {"name": "a", "ph": "X", "ts": 1}]')
    put(tmp_path, "config.json", data=b'{"ph": "no", "list": [1]}')
    put(tmp_path, "snapshot.json", data=b'{"segments": [], "device_traces": []}')
    put(tmp_path, "broken.json.gz.part", "empty.json", data=b"")
    forms = {capture.name: capture.hosts[0].form for capture in find_captures(tmp_path)[0]}
    assert forms == {
        "array": "chrome",
        "packed": "chrome",
        "plain": "chrome",
        "timeline-50": "chrome",
        "snapshot": "memory_snapshot",
    }


def test_the_record_of_a_run_is_not_looked_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "run/run.json", "run/other.json")
    opened: list[str] = []
    monkeypatch.setattr(file_search, "form_of_json", lambda path: opened.append(path.name))
    assert found(tmp_path) == {}
    assert opened == ["other.json"]


def test_captures_of_a_folder_have_different_names(tmp_path: Path) -> None:
    put(tmp_path, "a.trace.json", "a.json")
    assert len(found(tmp_path)) == 2


def test_a_changed_file_is_looked_at_again(tmp_path: Path) -> None:
    put(tmp_path, "a.json", data=b"{}")
    assert found(tmp_path) == {}
    put(tmp_path, "a.json")
    assert len(found(tmp_path)) == 1


def test_a_listed_folder_is_not_listed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "run/a.trace.json")
    for folder in (tmp_path, tmp_path / "run"):
        os.utime(folder, (1e9, 1e9))
    assert len(found(tmp_path)) == 1
    monkeypatch.setattr(file_search, "_listing_of", lambda *_: pytest.fail("listed again"))
    (tmp_path / "run/a.trace.json").write_bytes(EVENTS * 2)
    assert only(tmp_path).hosts[0].bytes == 2 * len(EVENTS)


def test_links_and_hidden_files_are_skipped(tmp_path: Path) -> None:
    put(tmp_path / "outside", "a.trace.json")
    root = tmp_path / "logs"
    put(root, ".hidden/a.trace.json", "run/.b.trace.json")
    (root / "link").symlink_to(tmp_path / "outside")
    (root / "run/c.trace.json").symlink_to(tmp_path / "outside/a.trace.json")
    assert found(root) == {}


def test_a_search_that_takes_too_long_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "run/a.trace.json")
    monkeypatch.setattr(file_search, "MAX_SEARCH_SECS", -1.0)
    assert find_captures(tmp_path) == ([], True)
    monkeypatch.undo()
    assert len(find_captures(tmp_path)[0]) == 1


def test_a_small_capture_right_behind_a_large_one_is_the_remainder_of_a_schedule(tmp_path: Path) -> None:
    large = EVENTS + b" " * 4000
    put(tmp_path, "whole/vm_1.1731592268000.pt.trace.json", data=large)
    put(tmp_path, "whole/vm_1.1731592288000.pt.trace.json")
    put(tmp_path, "later/vm_1.1731592268000.pt.trace.json", data=large)
    put(tmp_path, "later/vm_1.1731592368000.pt.trace.json")
    assert [(capture.run, capture.is_remainder) for capture in find_captures(tmp_path)[0]] == [
        ("later", False),
        ("later", False),
        ("whole", True),
        ("whole", False),
    ]
