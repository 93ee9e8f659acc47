"""Runs the Python and browser tests; tests that wait for something get a second and a third try, alone.

python -m tools.testing.run_python [arguments of pytest]

What fails every time fails the run. What passes when it is tried again is printed as flaky, and more than five of
those fail the run, too.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import msgspec

from tools.testing.outcomes import Failure, Outcomes, read_outcomes
from tools.testing.time_limit import hung_message

ROOT = Path.cwd()
FOLDER = ROOT / "build" / "test"
SUMMARY = FOLDER / "python.json"
FLAKY_LIMIT = 5
# So many tests do not fail by chance, and to try them all again would take long.
TRY_AGAIN_LIMIT = 12
TRIES = 2
TRY_SECS = 600
# Several workers run at once: threads of theirs that wait in a loop only take time from each other.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
ENDED_EARLY = "pytest ended before it could say what failed; its output is above"


@dataclass(kw_only=True)
class Summary:
    passed: int = 0
    skipped: int = 0
    failed: list[Failure] = field(default_factory=list)
    flaky: list[Failure] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        return not self.failed and len(self.flaky) <= FLAKY_LIMIT


def read_summary() -> Summary | None:
    return msgspec.json.decode(SUMMARY.read_bytes(), type=Summary) if SUMMARY.exists() else None


def run_all(arguments: Sequence[str]) -> Summary:
    outcomes, status = run_pytest([*arguments, f"--junitxml={FOLDER / 'python.xml'}"], name="first")
    if outcomes is None:
        return Summary(failed=[Failure(test="pytest", error=ENDED_EARLY, may_try_again=False)])
    summary = Summary(passed=outcomes.passed, skipped=outcomes.skipped)
    again = [failure for failure in outcomes.failures if failure.may_try_again]
    summary.failed = [failure for failure in outcomes.failures if not failure.may_try_again]
    if len(again) > TRY_AGAIN_LIMIT:
        print(f"{len(again)} tests failed, too many to be chance: none is tried again", flush=True)
        summary.failed += again
        again = []
    for failure in again:
        if passes_alone(failure):
            summary.flaky.append(failure)
            summary.passed += 1
        else:
            summary.failed.append(failure)
    if status != 0 and not outcomes.failures:
        summary.failed.append(
            Failure(test="pytest", error=f"{ENDED_EARLY} (exit status {status})", may_try_again=False)
        )
    return summary


def passes_alone(failure: Failure) -> bool:
    for number in range(1, TRIES + 1):
        print(f"\ntrying again ({number} of {TRIES}): {failure.test}", flush=True)
        outcomes, status = run_pytest(
            [failure.test], name="again", limit_secs=TRY_SECS, environment={"SEAMARK_FULL_TRACES": "1"}
        )
        if outcomes is not None and status == 0 and outcomes.passed + outcomes.skipped > 0:
            return True
        if outcomes is None:
            print(hung_message(ROOT, failure.test) or ENDED_EARLY, flush=True)
    return False


def run_pytest(
    arguments: Sequence[str],
    *,
    name: str,
    limit_secs: float | None = None,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Outcomes | None, int]:
    """Runs pytest in a process group of its own, so that what a test leaves behind ends with it."""
    path = FOLDER / f"{name}.json"
    path.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", f"--outcomes={path}", *arguments]
    variables = {**os.environ, **ONE_THREAD, **environment}
    process = subprocess.Popen(command, cwd=ROOT, env=variables, start_new_session=True)
    try:
        status = process.wait(limit_secs)
    except subprocess.TimeoutExpired:
        status = -signal.SIGKILL
    finally:
        end_group(process.pid)
        process.wait()
    return read_outcomes(path), status


def end_group(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def result_lines(summary: Summary) -> list[str]:
    lines = [f"== FAILED: {failure.test} — {failure.error}" for failure in summary.failed]
    lines += [f"== flaky: {failure.test} — {failure.error}" for failure in summary.flaky]
    if len(summary.flaky) > FLAKY_LIMIT:
        lines.append(f"== FAILED: {len(summary.flaky)} flaky tests; more than {FLAKY_LIMIT} fail the run")
    return lines


def main(arguments: Sequence[str]) -> int:
    # Ends pytest as well, which has a process group of its own.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    FOLDER.mkdir(parents=True, exist_ok=True)
    SUMMARY.unlink(missing_ok=True)
    shutil.rmtree(FOLDER / "traces", ignore_errors=True)
    summary = run_all(arguments)
    SUMMARY.write_bytes(msgspec.json.encode(summary))
    print("\n".join(["", *result_lines(summary)]))
    print(f"{summary.passed} passed, {len(summary.failed)} failed, {summary.skipped} skipped", flush=True)
    return 0 if summary.is_good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
