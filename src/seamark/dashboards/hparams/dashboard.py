"""HParams: which trial won, and why.

Everything it shows comes from /api/table and /api/importance. Its tab opens itself once a run has hyperparameters, be it
from `hparams` events, from its run.json or from a configuration file in its folder.
"""

from __future__ import annotations

from seamark.plugin import Dashboard

dashboard = Dashboard(name="hparams", title="HParams", order=90, kinds=())
