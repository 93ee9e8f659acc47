"""HParams: which trial won, and why.

Everything it shows comes from /api/table and /api/importance. Its tab opens itself once a run has hyperparameters,
be it from `hparams` events, from its run.json or from a configuration file in its folder.
"""

from __future__ import annotations

from pathlib import Path

from seamark.format import run_record
from seamark.format.config_names import CONFIG_NAMES
from seamark.plugin import Context, Dashboard

FILES = (*CONFIG_NAMES, run_record.FILE_NAME)
# A sweep's runs are alike: what none of so many has, the others hardly have.
MOST_FOLDERS = 100


def has_data(context: Context) -> bool:
    store = context.store
    if any(True for _ in store.series(kind="hparams")):
        return True
    return any((Path(run.path) / name).is_file() for run in store.runs()[:MOST_FOLDERS] for name in FILES)


dashboard = Dashboard(name="hparams", title="HParams", order=90, kinds=(), has_data=has_data)
