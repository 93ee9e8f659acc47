"""Measures What-If's routes in a process of their own, with the settings of the server; prints seconds as JSON.

python -m bench.whatif_inside LOGDIR
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from seamark.cli import tune_process

tune_process()  # before NumPy is loaded, as in the server

from starlette.testclient import TestClient  # noqa: E402

from bench.example_files import CSV, MODEL, OWN_TIMES, PARQUET, RUN, SLICE_BY  # noqa: E402
from seamark.plugin import ModelOptions  # noqa: E402
from seamark.serve.app import Settings, create_app  # noqa: E402
from seamark.store import LogRoot, Store  # noqa: E402

ROUTES = "/api/dashboards/whatif"
POINTS = 20
STORED = "predictions"  # the column `score`
WAIT_SECS = 600.0


class Page:
    """Sends requests about one file, and waits for analyses."""

    def __init__(self, client: TestClient, file: str) -> None:
        self._client, self._set = client, {"run": RUN, "name": f"file:{file}"}

    def info(self) -> dict[str, Any]:
        return self._checked(self._client.get(f"{ROUTES}/info", params=self._set))

    def post(self, route: str, **body: Any) -> dict[str, Any]:
        return self._checked(self._client.post(f"{ROUTES}/{route}", json={**self._set, **body}))

    def secs(self, route: str, **body: Any) -> float:
        began = time.perf_counter()
        self.post(route, **body)
        return time.perf_counter() - began

    def wait_for_model(self) -> None:
        deadline = time.monotonic() + WAIT_SECS
        while any(model["progress"] < 1 for model in self.info()["models"]):
            assert time.monotonic() < deadline, "the model has not predicted all rows"
            time.sleep(0.1)

    def _checked(self, answer: Any) -> dict[str, Any]:
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found


@contextmanager
def opened(logdir: Path, file: str, *models: str) -> Iterator[Page]:
    roots = [LogRoot("", logdir)]
    settings = Settings(model_options=ModelOptions(allowed=models))
    with Store(roots, index_dir=None, follow=False) as store:
        store.wait_loaded()
        with TestClient(create_app(store, roots=roots, settings=settings), base_url="http://localhost") as client:
            client.get(f"{ROUTES}/sets")  # finds the files, and imports what the service needs
            yield Page(client, file)


def load_secs(logdir: Path, file: str) -> float:
    """Until the columns and their schema are known."""
    with opened(logdir, file) as page:
        began = time.perf_counter()
        page.info()
        return time.perf_counter() - began


def analyses(logdir: Path, rows: int) -> dict[str, float]:
    with opened(logdir, PARQUET, f"net={logdir / MODEL}:predict") as page:
        page.wait_for_model()
        found = {"first_performance": page.secs("performance", model=STORED, slice_by=[SLICE_BY[0]])}
        found["performance"] = statistics.median(
            page.secs("performance", model=STORED, slice_by=[column], cost_ratio=ratio)
            for column in SLICE_BY
            for ratio in (1.0, 2.0, 5.0)
        )
        page.secs("counterfactual", row=0)  # the features are standardized once
        found["counterfactual"] = statistics.median(page.secs("counterfactual", row=row) for row in range(1, POINTS))
        found["worst_slices"] = page.secs("worst_slices", model=STORED)
        return found | dependence(page, logdir / OWN_TIMES, rows)


def dependence(page: Page, own_times: Path, rows: int) -> dict[str, float]:
    own_times.write_text("")
    began = time.perf_counter()
    while (answer := page.post("partial_dependence", row=0, feature="x0", rows=rows))["progress"]["state"] == "running":
        pass
    secs = time.perf_counter() - began
    assert answer["progress"]["state"] == "done", answer["progress"]
    return {"dependence": secs, "dependence_own": sum(map(float, own_times.read_text().split()))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logdir", type=Path)
    parser.add_argument("--rows", type=int, default=1000, help="of the partial dependence")
    args = parser.parse_args()
    figures = {"csv": load_secs(args.logdir, CSV), "parquet": load_secs(args.logdir, PARQUET)}
    print(json.dumps(figures | analyses(args.logdir, args.rows)))


if __name__ == "__main__":
    main()
