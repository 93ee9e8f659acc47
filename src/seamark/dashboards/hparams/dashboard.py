"""HParams: trials with their hyperparameters and results. Its data is at /api/table and /api/importance."""

from __future__ import annotations

from pathlib import Path

from seamark.format import run_record
from seamark.format.config_names import CONFIG_NAMES
from seamark.plugin import Context, Dashboard

FILES = (*CONFIG_NAMES, run_record.FILE_NAME)
# The runs of a sweep are alike: if none of these has hyperparameters, the others hardly have.
MAX_FOLDERS = 100


def has_data(context: Context) -> bool:
    """Whether a run has hyperparameters: in `hparams` events, in run.json or in a configuration file."""
    store = context.store
    if any(store.tags(kind="hparams").values()):
        return True
    return any((Path(run.path) / name).is_file() for run in store.runs()[:MAX_FOLDERS] for name in FILES)


dashboard = Dashboard(name="hparams", title="HParams", order=25, kinds=(), has_data=has_data)
