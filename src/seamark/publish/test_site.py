"""Publishing by the command: what is written, kept, removed and refused."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

import seamark
from seamark.format.seal import PlainSealer
from seamark.format.types import RunName, Tag
from seamark.publish import folder as folder_module
from seamark.publish.conftest import Publish, write_run
from seamark.publish.folder import SiteFolder
from seamark.store import MarkedPoints, Store

COUNTS = re.compile(r"([\d,]+) files? written, ([\d,]+) kept, ([\d,]+) removed")


def counts(text: str) -> tuple[int, ...]:
    found = COUNTS.search(text)
    assert found, text
    return tuple(int(number.replace(",", "")) for number in found.groups())


def files_of(site: Path) -> dict[str, bytes]:
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("*") if path.is_file()}


def data_files(site: Path) -> set[str]:
    return {path.name for path in (site / "data").iterdir()}


def test_site_is_the_page_with_a_policy_and_without_an_api(
    publish: Publish, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert publish("--title", "My <runs>") == 0
    page = (site / "index.html").read_text()
    assert '<meta name="site-manifest" content="site.json" />' in page
    assert "Content-Security-Policy" in page and "default-src &#x27;none&#x27;" in page
    assert "./api/" not in page and "<title>My &lt;runs&gt;</title>" in page
    assert json.loads((site / "site.json").read_text())["format"] == "seamark-site/2"
    # The module that reads the site is on its way before the page's own scripts have run.
    (opener,) = re.findall(r'<link rel="modulepreload" crossorigin href="./(assets/unlock-[\w-]+\.js)" />', page)
    assert (site / opener).is_file()
    # The policy comes before anything that it is about.
    assert page.index("Content-Security-Policy") < page.index("<script")
    assert "scalars" in capsys.readouterr().out


def test_second_publish_writes_the_index_only(publish: Publish, site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    publish()
    before = files_of(site)
    capsys.readouterr()
    assert publish() == 0
    written, kept, removed = counts(capsys.readouterr().out)
    # The index has the time of the publish, and the manifest names it.
    assert (written, removed) == (2, 1)
    after = files_of(site)
    changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    assert len(changed) == 3 and "site.json" in changed
    assert kept == len(after) - written - 1  # all but the mark of the folder


def test_new_run_leaves_the_packs_of_the_others(publish: Publish, site: Path, logdir: Path) -> None:
    publish()
    before = {pack.file for pack in SiteFolder(site).earlier_site(PlainSealer()).packs if owners(pack) != {None}}
    write_run(logdir / "third", offset=7.0)
    publish()
    after = {pack.file for pack in SiteFolder(site).earlier_site(PlainSealer()).packs if owners(pack) == {"third"}}
    assert before <= {name.removesuffix(".bin") for name in data_files(site)}
    assert len(after) == 1


def owners(pack: folder_module.StoredPack) -> set[str | None]:
    return {blob.owner for blob in pack.blobs}


def gathered_runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The runs whose series are encoded from now on."""
    found: list[str] = []
    whole = Store.marked_points

    def counted(self: Store, run: RunName, tag: Tag) -> MarkedPoints:
        found.append(run)
        return whole(self, run, tag)

    monkeypatch.setattr(Store, "marked_points", counted)
    return found


def test_unchanged_runs_are_not_gathered_again(
    publish: Publish, site: Path, logdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish()
    gathered = gathered_runs(monkeypatch)
    publish()
    assert gathered == []
    with seamark.SummaryWriter(logdir / "first") as writer:
        writer.add_scalar("loss", 0.0, 100)
    publish()
    assert set(gathered) == {"first"}
    after = files_of(site)
    publish("--rebuild")
    assert set(gathered) == {"first", "second", "secret-run"}
    changed = {name for name, content in files_of(site).items() if after.get(name) != content}
    assert len(changed) == 2 and "site.json" in changed, "what is gathered again is what was used again"


def test_run_is_gathered_again_after_a_file_or_a_part_changed(
    publish: Publish, logdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish("--runs", "first")
    gathered = gathered_runs(monkeypatch)
    (logdir / "first" / "config.yaml").write_text("lr: 1")
    publish("--runs", "first")
    publish("--runs", "first", "--without", "files")
    assert gathered == ["first", "first"]


def test_unchanged_run_moves_into_a_new_pack_when_another_leaves(publish: Publish, site: Path) -> None:
    """The pack of both must be written again, from what it had."""
    publish()
    publish("--runs", "first|second")
    fresh = site.parent / "fresh"
    publish("--runs", "first|second", output=fresh)
    assert contents_by_key(site) == contents_by_key(fresh)


def contents_by_key(site: Path) -> dict[str, bytes]:
    earlier = SiteFolder(site).earlier_site(PlainSealer())
    return {key: earlier.read(pack, blob) for pack in earlier.packs for blob in pack.blobs for key in blob.keys}


def test_run_that_is_no_longer_published_is_gone(publish: Publish, site: Path) -> None:
    publish()
    before = data_files(site)
    publish("--runs", "first|second")
    packs = SiteFolder(site).earlier_site(PlainSealer()).packs
    assert {owner for pack in packs for owner in owners(pack)} == {"first", "second", None}
    # The pack that had all runs was written again, and its old file removed.
    assert not before & data_files(site)
    assert all(b"secret-run" not in content for content in files_of(site).values())


def test_what_grew_is_written_and_the_old_points_may_stay(publish: Publish, site: Path, logdir: Path) -> None:
    publish("--runs", "first")
    before = data_files(site)
    with seamark.SummaryWriter(logdir / "first") as writer:
        writer.add_scalar("loss", 0.0, 100)
    publish("--runs", "first")
    assert before & data_files(site), "the histograms of the first publish are still used"


def test_dry_run_and_max_mb_write_nothing(publish: Publish, site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert publish("--dry_run") == 0
    assert "3 runs" in capsys.readouterr().out
    assert publish("--max_mb", "0.001") == 1
    said = capsys.readouterr()
    assert "the page itself" in said.out  # the report comes first
    assert "nothing was written" in said.err and "--runs" in said.err
    assert not site.exists()


def test_folder_with_other_files_is_refused(publish: Publish, site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site.mkdir()
    (site / "thesis.tex").write_text("mine")
    assert publish() == 2
    assert "has other files and no earlier site" in capsys.readouterr().err
    assert files_of(site) == {"thesis.tex": b"mine"}


def test_files_beside_an_earlier_site_stay(publish: Publish, site: Path) -> None:
    publish()
    (site / "CNAME").write_text("runs.example.org")
    (site / "assets" / "mine.css").write_text("body {}")
    (site / "data" / "notes.txt").write_text("mine")
    publish("--runs", "first")
    assert {"CNAME", "assets/mine.css", "data/notes.txt"} <= files_of(site).keys()


def test_manifest_of_a_stranger_removes_nothing_outside(publish: Publish, site: Path) -> None:
    publish()
    outside = site.parent / "precious"
    outside.write_text("mine")
    manifest = json.loads((site / "site.json").read_text())
    manifest["page"] += ["../precious", "/etc/passwd", "assets/../../precious"]
    (site / "site.json").write_text(json.dumps(manifest))
    publish()
    assert outside.read_text() == "mine"


def test_killed_publish_leaves_the_earlier_site(
    publish: Publish, site: Path, logdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish()
    before = files_of(site)
    write_run(logdir / "third", offset=7.0)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(SiteFolder, "write_manifest", killed)
    assert publish() == 130
    after = files_of(site)
    assert {name: after[name] for name in before} == before
    monkeypatch.undo()
    assert publish() == 0
    used = {f"{pack.file}.bin" for pack in SiteFolder(site).earlier_site(PlainSealer()).packs}
    manifest = SiteFolder(site).manifest
    assert manifest is not None
    assert data_files(site) == used | {f"{manifest.file}.bin"}


def test_first_publish_that_was_killed_can_be_repeated(
    publish: Publish, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(SiteFolder, "write_manifest", killed)
    publish()
    monkeypatch.undo()
    assert publish() == 0
    assert (site / "site.json").is_file()


def test_nothing_of_a_site_in_an_earlier_format_is_reused(publish: Publish, site: Path) -> None:
    """The page of this version decompresses many blobs as one stream, which those of earlier ones are not."""
    publish()
    assert SiteFolder(site).earlier_site(PlainSealer()).packs
    manifest = site / "site.json"
    manifest.write_text(manifest.read_text().replace("seamark-site/2", "seamark-site/1"))
    earlier = SiteFolder(site).earlier_site(PlainSealer())
    assert (earlier.packs, earlier.fingerprints) == ([], {})
    publish()
    assert json.loads(manifest.read_text())["format"] == "seamark-site/2"


def test_damaged_pack_is_written_again(publish: Publish, site: Path) -> None:
    publish()
    before = files_of(site)
    largest = max((site / "data").iterdir(), key=lambda path: path.stat().st_size)
    os.truncate(largest, 10)
    publish()
    assert largest.read_bytes() == before[f"data/{largest.name}"]


def test_no_matching_run_is_a_sentence(publish: Publish, capsys: pytest.CaptureFixture[str]) -> None:
    assert publish("--runs", "nothing") == 2
    assert "no run matches" in capsys.readouterr().err


def test_query_chooses_runs(publish: Publish, site: Path) -> None:
    assert publish("--query", '"sec" in name and metric["loss"].min > 1.5') == 0
    packs = SiteFolder(site).earlier_site(PlainSealer()).packs
    assert {owner for pack in packs for owner in owners(pack)} == {"secret-run", None}
