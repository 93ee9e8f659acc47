"""Hostile configuration files: each is a problem of its own run only."""

from __future__ import annotations

from pathlib import Path

import pytest

from seamark.compare.record import yaml_text
from seamark.compare.record.config_files import read_files
from seamark.compare.record.flatten import MAX_KEYS, MAX_NAME, flattened
from seamark.compare.test_support import log_run, table_of, write_record
from seamark.store import LogRoot

TEN_OF_EACH = "".join(f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]\n" for level in range(1, 13))
MERGED = "".join(f"m{at}: &m{at} {{<<: [{', '.join([f'*m{at - 1}'] * 8)}], k{at}: 1}}\n" for at in range(1, 12))
TOO_MUCH = {
    "deep block": "a:\n  " + "- " * 60_000 + "x",
    "deep flow": "a: " + "[" * 30_000,
    "deep maps": "{a: " * 30_000,
    "deep keys": "? " * 30_000 + "x",
    "refers to itself": "a: &a {b: *a, c: *a}",
    "billions of references": f"a0: &a0 {{}}\n{TEN_OF_EACH}",
    "billions of merges": f"m0: &m0 {{k0: 1}}\n{MERGED}",
    "a flat list of 4 MB": f"a: [{'1, ' * 1_300_000}1]",
    "a long text repeated": "s: &s " + "x" * 1_000_000 + "\n" + "".join(f"k{at}: *s\n" for at in range(1000)),
    "directives": "%TAG !a! b\n" * 100_000 + "--- {}",
    "documents": "--- a\n" * 200_000,
}


@pytest.mark.parametrize("what", TOO_MUCH)
def test_yaml_beyond_the_limits_raises(what: str) -> None:
    with pytest.raises(yaml_text.YamlError) as error:
        yaml_text.loads(TOO_MUCH[what])
    assert len(str(error.value)) < 300 and "\n" not in str(error.value)


def test_yaml_with_aliases_and_merges_is_read() -> None:
    text = "base: &base {lr: 0.1, layers: [1, 2]}\nbig:\n  <<: *base\n  lr: 1e-2\nagain: *base\n"
    assert yaml_text.loads(text)["big"] == {"lr": 0.01, "layers": [1, 2]}
    assert len(yaml_text.loads("\n".join(f"k{at}: {at}" for at in range(15_000)))) == 15_000


@pytest.mark.parametrize(
    "number", [f"0x{'f' * 100_000}", "1" + ":1" * 500_000, f"!!int '1{':1' * 500_000}'", "1" * 5000]
)
def test_very_long_numbers_are_text(number: str) -> None:
    value = flattened(yaml_text.loads(f"seed: {number}\nlr: 0.1"))
    assert isinstance(value["seed"], str) and value["lr"] == 0.1


def test_integers_above_64_bits_are_text_with_all_digits() -> None:
    given = {"a": 2**64 - 1, "b": -(2**63), "c": 2**64, "d": 2**128 + 1, 2**70: 1}
    assert flattened(given) == {
        "a": 2**64 - 1, "b": -(2**63), "c": str(2**64), "d": str(2**128 + 1), str(2**70): 1
    }  # fmt: skip
    assert flattened({"a": 1 << 100_000})["a"] == hex(1 << 100_000)[:20_000]
    assert next(iter(flattened({1 << 100_000: 1}))).startswith("0x1000")
    assert isinstance(flattened({"a": {1 << 100_000, 5}})["a"], str)
    assert isinstance(flattened({"a": [1 << 100_000]})["a"], str)


def test_a_long_name_is_cut_and_not_repeated_in_nested_names() -> None:
    found = flattened({"x" * 100_000: {f"k{at}": at for at in range(1000)}})
    assert [len(name) for name in found] == [MAX_NAME + 1]
    assert len(flattened({f"k{at}": {"a": at} for at in range(30_000)})) == MAX_KEYS


HOSTILE_FILES = {
    "config.yaml": TOO_MUCH["deep block"],
    "hparams.yaml": f"seed: 0x{'f' * 20_000}\nlr: 0.5",
    "config.json": '{"a":' * 50_000,
    "params.json": '{"a":' * 300 + "1" + "}" * 300,
    "args.json": '{"n": ' + "9" * 5000 + "}",
}


def test_hostile_files_do_not_affect_other_runs(tmp_path: Path) -> None:
    log_run(tmp_path / "good", loss=[1.0])
    (tmp_path / "good" / "config.yaml").write_text("lr: 0.1")
    log_run(tmp_path / "bad", loss=[2.0])
    for name, text in HOSTILE_FILES.items():
        (tmp_path / "bad" / name).write_text(text)
    write_record(tmp_path / "bad", last_step=10**400, started_at=10**400, config={"n": 10**300})
    with table_of(tmp_path) as table:
        assert set(table.names) == {"good", "bad"}
        assert {info.id for info in table.columns()} >= {"param:lr", "param:seed", "param:n", "run:last_step"}
        assert len(table.select("lr == 0.1").rows) == 1
        assert all("/bad/" in problem for problem in table.problems() if "left out" in problem)
        assert len([problem for problem in table.problems() if "left out" in problem]) == 4


def test_links_out_of_the_log_directory_are_not_read(tmp_path: Path) -> None:
    logs, run = tmp_path / "logs", tmp_path / "logs" / "run"
    (run / "sub").mkdir(parents=True)
    (tmp_path / "secret.yaml").write_text("password: x")
    (tmp_path / ".hydra").mkdir()
    (tmp_path / ".hydra" / "config.yaml").write_text("password: y")
    (logs / "base.yaml").write_text("lr: 0.1")
    (run / "config.yaml").symlink_to("../../secret.yaml")
    (run / "params.yaml").symlink_to("../base.yaml")
    (run / ".hydra").symlink_to("../../.hydra")
    found = read_files(run, roots=[LogRoot("", logs)])
    assert found.params == {"lr": 0.1}
    assert len(found.problems) == 2 and all("leads out" in problem for problem in found.problems)
