"""What models in processes of their own may do wrong: each is one sentence, and the next call works."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from seamark.examples.predict.conftest import ALL, HANGS, ROWS, OpenModel, error_of, is_running, make_set, wait_until
from seamark.examples.predict.process_backend import Limits
from seamark.tables.column import Column

pytestmark = pytest.mark.timed


@pytest.mark.parametrize(
    "body, sentence",
    [
        ("return [0.5]", "returned 1 for 200 rows, want one prediction for each row"),
        ("return 0.5", "returned a single value for 200 rows"),
        ("return None", "returned NoneType, want an array"),
        ("return np.zeros((len(x), 2, 3))", "returned the shape (200, 2, 3), want (200,) or (200, classes)"),
        ("return np.zeros((len(x), 3))", "returned 3 scores for each row, but the truth has 2 classes"),
        ("return [[0.1], [0.2, 0.3]] * (len(x) // 2)", "returned lists of different lengths"),
        ("return [object()] * len(x)", "returned object as a prediction, want numbers or names"),
        ("return {'answer': x}", "returned a dict without 'scores', it has answer"),
        ("return {'scores': np.zeros((len(x), 2)), 'classes': ['a']}", "has 1 classes"),
        ("return x * np.nan", "returned NaN or infinity for all of 200 rows"),
        ("return x / 0", "returned NaN or infinity for all of 200 rows"),
    ],
)
def test_wrong_output_is_one_sentence(body: str, sentence: str, open_model: OpenModel) -> None:
    model = open_model(f"""
        import numpy as np
        np.seterr(all="ignore")

        def predict(columns):
            x = columns["x"]
            if len(x) < 200:  # the first rows decide about the form
                return x * 0
            {body}

        predict.seamark_input = "columns"
    """)
    assert sentence in str(error_of(model))
    assert error_of(model).traceback == ""


def test_names_for_a_regression_are_an_error(open_model: OpenModel) -> None:
    price = Column("label", "number", numbers=np.arange(ROWS, dtype=float))
    error = error_of(open_model("def predict(df): return ['high'] * len(df)", examples=make_set(price)))
    assert "returned names like 'high', but the task of the set is regression, want numbers" in str(error)


def test_some_rows_without_a_number_are_missing(open_model: OpenModel) -> None:
    scores = open_model("def predict(df): return df['y']").predict(ALL).scores
    assert np.flatnonzero(np.isnan(scores)).tolist() == [3]


def test_an_exception_is_its_last_line_and_the_users_traceback(open_model: OpenModel) -> None:
    model = open_model("""
        def helper(columns):
            return columns["no such feature"]

        def predict(columns):
            print("about to fail")
            return helper(columns)

        predict.seamark_input = "columns"
    """)
    error = error_of(model)
    assert str(error) == "the model 'model' raised KeyError: 'no such feature'"
    assert "in helper" in error.traceback and "about to fail" in error.traceback
    assert "worker" not in error.traceback
    assert error_of(model).traceback  # the process goes on living


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("import no_such_library", "needs 'no_such_library', which is not installed here; pip install no_such_library"),
        ("def other(x): ...", "there is no 'predict', the functions are other"),
        ("predict = 3", "got a int, want a function or a fitted model"),
        ("class predict: ...", "'predict' is a class, want a function or a fitted model"),
        ("1 +", "SyntaxError: invalid syntax"),
        ("raise ValueError('no weights')", "raised ValueError: no weights"),
        ("import sys; sys.exit(3)", "raised SystemExit: 3"),
        ("def predict(x): ...\npredict.seamark_input = 'tensor'", "seamark_input is one of dataframe, columns, rows"),
    ],
)
def test_a_model_that_cannot_be_loaded_is_one_sentence(text: str, sentence: str, open_model: OpenModel) -> None:
    assert sentence in str(error_of(open_model(text)))


CRASHES = {
    "os._exit(7)": "ended by itself, with the exit code 7",
    "os.kill(os.getpid(), signal.SIGSEGV)": "crashed (SIGSEGV)",
    "os.abort()": "crashed (SIGABRT)",
}


@pytest.mark.parametrize("crash", CRASHES)
def test_a_crash_is_a_sentence_and_the_next_call_starts_again(
    crash: str, open_model: OpenModel, tmp_path: Path
) -> None:
    model = open_model(f"""
        import os, signal

        def predict(columns):
            if os.path.exists("crash"):
                os.remove("crash")
                print("last words", flush=True)
                {crash}
            return columns["x"] * 0

        predict.seamark_input = "columns"
    """)
    model.predict(ALL)
    (tmp_path / "crash").touch()
    error = error_of(model)
    assert CRASHES[crash] in str(error) and "last words" in error.traceback
    assert (model.predict(ALL).scores == 0).all()


SLEEPS = HANGS.format(hang="time.sleep(1000)")


def test_a_model_that_hangs_is_stopped_with_its_children(open_model: OpenModel, tmp_path: Path) -> None:
    model = open_model(SLEEPS, limits=Limits(timeout_secs=3))
    model.predict(ALL)
    (tmp_path / "hang").touch()
    error = error_of(model)
    assert str(error) == (
        "the model 'model' has not answered within 3 s and was stopped; --predict_timeout_secs sets the limit"
    )
    child = int((tmp_path / "child").read_text())
    wait_until(lambda: not is_running(child))
    (tmp_path / "hang").unlink()
    assert (model.predict(ALL).scores == 0).all()


def test_a_model_that_needs_too_much_memory_is_a_sentence(open_model: OpenModel) -> None:
    model = open_model(
        """
        import numpy as np

        def predict(columns):
            return np.ones((len(columns["x"]), 10_000_000)).sum(axis=1)

        predict.seamark_input = "columns"
    """,
        limits=Limits(memory_mb=1024),
    )
    assert str(error_of(model)) == (
        "the model 'model' needs more than 1,024 MB of memory; --predict_memory_mb sets the limit"
    )
