"""Every tab with something to show, for tests that visit all pages."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from seamark import SummaryWriter
from tests.e2e.every_kind import write_every_kind
from tests.e2e.profile_logs import write_profile
from tests.e2e.run_logs import make_run

# By tab: what is there once it shows data.
DASHBOARDS = {
    "scalars": "article",
    "timeseries": "article",
    "images": "article",
    "histograms": "article",
    "distributions": "article",
    "text": "article",
    "pr_curves": "article",
    "audio": "article",
    "video": "article",
    "mesh": "article",
    "custom_scalars": "article",
    "hparams": "[role=row]",
    "graphs": "[role=treeitem]",
    "profile": "canvas[data-bars]",
    # Its pages have addresses of their own.
    "profile&profile.page=trace": "canvas[data-slices]",
    **{
        f"profile&profile.page={page}": "[role=tabpanel] :is([role=row], h2)"
        for page in ("operators", "kernels", "memory", "input", "modules", "distributed", "compare")
    },
}
MARKDOWN = """
# Plan
| setting | value |
|---|---|
| rate | 0.1 |

> Quoted, with [a link](https://example.com).

```python
@cached  # once
def train(rate: float = 0.1) -> "Model":
    return Model(f"{rate}") if rate is not None else None
```
"""


def write_logs(logdir: Path) -> None:
    """Every kind of data, and what is drawn in colours of its own: code, a diverged curve, a crash, a clip."""
    write_every_kind(logdir)
    with SummaryWriter(logdir / "first") as writer:
        writer.add_text("notes/markdown", MARKDOWN, 0)
        writer.add_video("samples/clip", np.arange(2 * 192, dtype=np.uint8).reshape(1, 2, 3, 8, 8), 0)
        writer.add_histogram("layer/dead", np.zeros(100), 0)
        for step in range(5):
            writer.add_scalar("train/diverged", [1, 0.5, 0.25, np.nan, np.nan][step], step)
    write_profile(logdir / "first", "rank0")
    make_run(logdir, "good", rate=0.03, steps=10)
    make_run(logdir, "failed", rate=0.01, steps=10, crashes=True)
