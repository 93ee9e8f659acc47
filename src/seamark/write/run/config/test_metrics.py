"""define_metric and run.summary."""

from __future__ import annotations

import math

import pytest

from seamark.write.run.test_support import begin, points, stored_record
from seamark.write.test_support import logged_warnings


def test_define_metric_selects_the_summary() -> None:
    run = begin()
    run.define_metric("loss", summary="min")
    run.define_metric("acc*", summary="best", goal="maximize")
    run.define_metric("time", summary="mean")
    run.define_metric("both", summary="min,max")
    run.define_metric("no", summary="none")
    for loss, acc in ((3.0, 0.1), (1.0, 0.9), (math.nan, 0.5), (2.0, 0.4)):
        run.log({"loss": loss, "acc/top1": acc, "time": loss, "both": loss, "no": 1, "last": loss})
    run.summary["note"] = "by hand"
    run.finish()
    kept = stored_record(run).summary
    assert kept == {
        "loss": 1.0,
        "acc/top1": 0.9,
        "time": 2.0,
        "both": {"min": 1.0, "max": 3.0},
        "last": 2.0,
        "note": "by hand",
    }
    with pytest.raises(ValueError, match="median"):
        run.define_metric("x", summary="median")
    with pytest.raises(ValueError, match="up"):
        run.define_metric("x", goal="up")


def test_a_step_metric_is_the_step() -> None:
    run = begin()
    run.define_metric("val/*", step_metric="epoch")
    for epoch in range(2):
        for _ in range(3):
            run.log({"loss": 1.0})
        run.log({"val/acc": 0.5, "epoch": epoch})
    with logged_warnings("whole numbers"):
        run.log({"epoch": 1.5, "val/acc": 0.7})
    run.finish()
    assert [step for step, _ in points(run, "val/acc")] == [0, 1, 8]
    assert [step for step, _ in points(run, "loss")] == [0, 1, 2, 4, 5, 6]


def test_a_thousand_metrics_all_have_a_summary() -> None:
    run = begin()
    run.log({f"m{n}": n for n in range(1500)})
    run.finish()
    assert len(stored_record(run).summary) == 1500
