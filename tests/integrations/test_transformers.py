"""Hugging Face's Trainer with its own TensorBoardCallback and with ours, on the same tiny model."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.integrations import documented, imported, written

transformers = pytest.importorskip("transformers", reason="run it with `make test-integrations`")
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments
from transformers.integrations import TensorBoardCallback

from seamark.integrations import autolog
from seamark.integrations.transformers import ProfileCallback, SeamarkCallback
from seamark.write.test_support import logged_warnings
from seamark.write.writer.summary_writer import SummaryWriter

# What the Trainer measures with a clock.
OF_CLOCK = ("runtime", "per_second")


class Counting(torch.utils.data.Dataset):
    """Eight sentences that count up."""

    def __len__(self) -> int:
        return 8

    def __getitem__(self, index: int) -> dict[str, torch.Tensor]:
        tokens = (torch.arange(6) + index) % 16
        return {"input_ids": tokens, "labels": tokens}


def train(folder: Path, callbacks: list[Any], **options: Any) -> Trainer:
    torch.manual_seed(0)
    model = GPT2LMHeadModel(GPT2Config(n_layer=1, n_head=2, n_embd=8, vocab_size=16, n_positions=8))
    arguments = TrainingArguments(
        output_dir=str(folder),
        max_steps=4,
        logging_steps=1,
        eval_strategy="steps",
        eval_steps=2,
        save_strategy="no",
        use_cpu=True,
        disable_tqdm=True,
        **{"report_to": [], **options},
    )
    trainer = Trainer(model, arguments, train_dataset=Counting(), eval_dataset=Counting(), callbacks=callbacks)
    trainer.train()
    return trainer


def test_charts_and_texts_are_those_of_tensorboardcallback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, make in (("ours", SeamarkCallback), ("theirs", TensorBoardCallback)):
        monkeypatch.setenv("TENSORBOARD_LOGGING_DIR", str(tmp_path / name))
        train(tmp_path / "output", [make()])
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    written.assert_same_scalars(ours, theirs, of_clock=OF_CLOCK)
    assert {"train/loss", "train/learning_rate", "train/grad_norm", "eval/loss"} <= set(written.scalars(ours)["."])
    assert [step for step, _ in written.scalars(ours)["."]["eval/loss"]] == [2, 4]
    ours_alone = {key for key in written.kinds(ours) if key[1].startswith("_hparams_/")}
    assert {key: kind for key, kind in written.kinds(ours).items() if key not in ours_alone} == written.kinds(theirs)
    assert written.texts(ours) == written.texts(theirs)
    assert json.loads(written.texts(ours)[".", "model_config/text_summary"])["n_embd"] == 8


def test_the_arguments_are_hyperparameters_once(tmp_path: Path) -> None:
    trainer = train(tmp_path, [SeamarkCallback(tmp_path / "run")], learning_rate=0.25, hub_token="secret")
    trainer.train()
    assert written.session_starts(tmp_path) == ["run"]
    found = written.hparams(tmp_path)["run"]
    wanted = {"learning_rate": 0.25, "max_steps": 4.0, "use_cpu": True, "eval_strategy": "steps", "seed": 42.0}
    assert wanted.items() <= found.items()
    assert found["accelerator_config/split_batches"] is False
    assert not {"hub_token", "run_name", "deepspeed"} & set(found)
    assert written.session_ends(tmp_path) == {"run": "STATUS_SUCCESS"}


def test_without_a_folder_the_run_lies_below_the_output(tmp_path: Path) -> None:
    train(tmp_path, [SeamarkCallback()])
    (run,) = written.scalars(tmp_path)
    assert re.fullmatch(r"runs/[A-Z][a-z]{2}\d{2}_\d{2}-\d{2}-\d{2}_.+", run)


def test_a_writer_of_ones_own_stays_open(tmp_path: Path) -> None:
    with SummaryWriter(str(tmp_path / "mine")) as writer:
        train(tmp_path, [SeamarkCallback(writer)])
        writer.add_scalar("afterwards", 1.0, 9)
    assert {"train/loss", "afterwards"} <= set(written.scalars(tmp_path)["mine"])


def test_evaluating_after_training_goes_into_the_same_run(tmp_path: Path) -> None:
    trainer = train(tmp_path, [SeamarkCallback(tmp_path / "run")])
    trainer.evaluate(metric_key_prefix="test")
    trainer.callback_handler.callbacks[-1].on_train_end(None, None, None)
    assert set(written.scalars(tmp_path)) == {"run"}
    assert len(list((tmp_path / "run").iterdir())) == 1
    assert "test/loss" in written.scalars(tmp_path)["run"]


def test_what_is_no_number_is_named_once(tmp_path: Path) -> None:
    callback = SeamarkCallback(tmp_path / "run")
    trainer = train(tmp_path, [callback])
    with logged_warnings("'train/odd' is not logged: got list") as caught:
        trainer.log({"odd": [1, 2], "note": "<b>text</b>", "eval_": 1.0, "nan": float("nan")})
        trainer.log({"odd": [1, 2]})
    callback.on_train_end(None, None, None)
    assert len([warning for warning in caught if "odd" in warning]) == 1
    assert written.texts(tmp_path)["run", "train/note/text_summary"] == "<b>text</b>"
    assert "train/nan" in written.scalars(tmp_path)["run"]


def test_some_steps_are_profiled(tmp_path: Path) -> None:
    train(tmp_path / "out", [ProfileCallback(2, steps=1, warmup=0, target=tmp_path / "run")])
    (trace,) = (tmp_path / "run" / "plugins" / "profile").glob("*/*.pt.trace.json.gz")
    assert written.profiled_steps(trace) == [3], "step 4 is the last: there is none after it to profile"
    with pytest.raises(ValueError, match="every_n_steps"):
        ProfileCallback(2)


def test_autolog_logs_every_trainer_once(tmp_path: Path) -> None:
    autolog.autolog(tmp_path / "auto", only=["transformers"])
    autolog.autolog(tmp_path / "auto", only=["transformers"])
    try:
        train(tmp_path / "plain", [])
        train(tmp_path / "by-hand", [SeamarkCallback(tmp_path / "mine")])
    finally:
        autolog.autolog(disable=True)
    train(tmp_path / "off", [])
    (run,) = written.scalars(tmp_path / "auto")
    assert run.startswith("transformers_")
    assert "eval/loss" in written.scalars(tmp_path / "auto")[run]
    assert "train/loss" in written.scalars(tmp_path / "mine")["."]


def test_report_to_takes_the_name_once_the_integration_is_imported(tmp_path: Path) -> None:
    train(tmp_path / "alone", [], report_to="seamark")
    (run,) = written.scalars(tmp_path / "alone")
    assert run.startswith("runs/")
    autolog.autolog(tmp_path / "auto", only=["transformers"])
    try:
        train(tmp_path / "both", [], report_to=["seamark"])
    finally:
        autolog.autolog(disable=True)
    (run,) = written.scalars(tmp_path / "auto")
    assert run.startswith("transformers_")
    assert written.scalars(tmp_path / "both") == {}


def test_autolog_before_the_import_turns_it_on_by_it(tmp_path: Path) -> None:
    imported.assert_turned_on("transformers", "from transformers import Trainer", tmp_path)


def test_the_example_in_the_docs_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    model = GPT2LMHeadModel(GPT2Config(n_layer=1, n_head=2, n_embd=8, vocab_size=16, n_positions=8))
    arguments = TrainingArguments(
        max_steps=1, logging_steps=1, report_to="none", use_cpu=True, disable_tqdm=True, save_strategy="no"
    )
    documented.run("Transformers", Trainer=Trainer, model=model, arguments=arguments, sentences=Counting())
    assert "train/loss" in written.scalars(tmp_path)["runs/first"]
