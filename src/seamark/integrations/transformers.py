"""Hugging Face Trainer: `Trainer(callbacks=[SeamarkCallback()])`; tags are those of its TensorBoardCallback."""

from __future__ import annotations

import datetime
import functools
import os
import socket
import weakref
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from transformers import TrainerCallback, trainer
from transformers.integrations import INTEGRATION_TO_CALLBACK

from seamark.integrations.target import Destination, Target, fresh_run
from seamark.write.run.config.session import Session
from seamark.write.run.hooks.profiler_hook import ProfilerHook

# The Trainer's logs start with the split; charts are grouped by it.
SPLITS = ("eval", "test")
DEFAULT_SPLIT = "train"
# The Trainers with a SeamarkCallback, identified by their control object.
_by_hand: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()


class SeamarkCallback(TrainerCallback):
    """Logs into `log_dir` or a writer; by default $TENSORBOARD_LOGGING_DIR or else output_dir/runs/DATE_HOST."""

    def __init__(self, log_dir: Target = None, **options: Any) -> None:
        chosen = os.getenv("TENSORBOARD_LOGGING_DIR") if log_dir is None else log_dir
        self._target: Target = Path(chosen).expanduser() if isinstance(chosen, str) else chosen
        self._options = options
        self._destination: Destination | None = None
        self._session = Session()
        self._trial: str | None = None

    def on_init_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        _by_hand[id(control)] = control

    def is_wanted(self, state: Any, control: Any) -> bool:
        return bool(state.is_world_process_zero)

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if not self.is_wanted(state, control):
            return
        writer = self._opened(args, state).writer
        writer.add_text("args", args.to_json_string())
        self._session.start(writer, hyperparameters(args))
        config = getattr(kwargs.get("model"), "config", None)
        if config is not None:
            writer.add_text("model_config", config.to_json_string())

    def on_log(self, args: Any, state: Any, control: Any, logs: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        if not self.is_wanted(state, control):
            return
        writer = self._opened(args, state).writer
        for tag, value in tagged(logs or {}):
            if isinstance(value, int | float):
                writer.add_scalar(tag, value, state.global_step)
            elif isinstance(value, str):
                writer.add_text(tag, value, state.global_step)
            else:
                problem = f"'{tag}' is not logged: got {type(value).__name__}, want a number or text"
                writer.sink.warn_once(f"value {tag}", problem)
        writer.flush()

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if self._destination is not None:
            self._session.end(self._destination.writer)
            # The file stays open: an evaluation after the training logs to it, too.
            self._destination.flush()

    def _opened(self, args: Any, state: Any) -> Destination:
        trial = state.trial_name if state.is_hyper_param_search else None
        if trial is not None and self._trial != trial:
            # Every trial of a search is a run.
            self._trial, self._session = trial, Session()
            self._destination = Destination(default_folder(args) / trial, **self._options)
        if self._destination is None:
            target = default_folder(args) if self._target is None else self._target
            self._destination = Destination(target, **self._options)
        return self._destination


class ProfileCallback(TrainerCallback):
    """Profiles some steps at an interval: `Trainer(callbacks=[ProfileCallback(every_n_steps=1000)])`.

    Takes the arguments of `seamark.hooks.ProfilerHook`; without a target it writes to a run below the output.
    """

    def __init__(self, every_n_steps: int | None = None, *, target: Any = None, **options: Any) -> None:
        self._make = functools.partial(ProfilerHook, every_n_steps, **options)
        self._target = target
        self._make(target="")  # wrong arguments raise at once
        self._hook: ProfilerHook | None = None

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        chosen = self._target or os.getenv("TENSORBOARD_LOGGING_DIR")
        self._hook = self._make(target=chosen or default_folder(args))

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if self._hook is not None:
            self._hook(state.global_step)

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        hook, self._hook = self._hook, None
        if hook is not None:
            hook.end()


def default_folder(args: Any) -> Path:
    begun = datetime.datetime.now().strftime("%b%d_%H-%M-%S")
    return Path(args.output_dir, "runs", f"{begun}_{socket.gethostname()}")


def tagged(logs: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """eval_loss → eval/loss, test_loss → test/loss, loss → train/loss."""
    for name, value in logs.items():
        split, _, rest = name.partition("_")
        yield (f"{split}/{rest}" if rest and split in SPLITS else f"{DEFAULT_SPLIT}/{name}"), value


def hyperparameters(args: Any) -> dict[str, Any]:
    """The training arguments that are set, without tokens, nested as they are."""
    return {name: value for name, value in args.to_dict().items() if value is not None and not name.endswith("_token")}


class ReportingCallback(SeamarkCallback):
    """The callback for `report_to="seamark"`. Logs to autolog's folder if autolog is on."""

    def __init__(self) -> None:
        super().__init__(fresh_run(Path(AutologCallback.folder), "transformers") if is_autologging() else None)


class AutologCallback(SeamarkCallback):
    """The callback that autolog adds. Does nothing in a Trainer that has a SeamarkCallback."""

    folder = "runs"

    def __init__(self) -> None:
        super().__init__(fresh_run(Path(self.folder), "transformers"))

    def on_init_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        pass

    def is_wanted(self, state: Any, control: Any) -> bool:
        return super().is_wanted(state, control) and id(control) not in _by_hand


def is_autologging() -> bool:
    return AutologCallback in trainer.DEFAULT_CALLBACKS


def autolog(log_dir: str) -> Callable[[], None]:
    """Adds the callback to every new Trainer. Does not change `report_to`."""
    AutologCallback.folder = log_dir
    trainer.DEFAULT_CALLBACKS.append(AutologCallback)
    return lambda: trainer.DEFAULT_CALLBACKS.remove(AutologCallback)


# Trainers look up the names in `report_to` in this table, which has no function to add one.
INTEGRATION_TO_CALLBACK["seamark"] = ReportingCallback
