"""Sentences about two profiles: what changed, and how much of the difference each change explains."""

from __future__ import annotations

from collections.abc import Iterator

from seamark.profiles.analyses.steps.candidate import shortened
from seamark.profiles.findings.rule import in_ms
from seamark.profiles.results import ComparedRow, ComparedStep, Finding

# A change below this share of the difference, or of the step, is not worth a sentence.
MIN_SHARE = 0.05
# Steps that differ by less take the same time.
SAME_SHARE = 0.01
MAX_FINDINGS, MAX_PARTS, MAX_OPERATORS = 2, 3, 3
PART_NAMES = {
    "device_compute_16": "Device compute in half precision",
    "device_compute_32": "Device compute in single precision",
    "collectives": "Exposed communication",
    "host_device_copies": "Copies between host and device",
    "input": "Waiting for input",
    "host_compute": "Host compute",
    "compile": "Compilation",
    "idle": "Idle time",
    "other": "Other time",
}


def explain(
    breakdown: list[ComparedStep], a_findings: list[Finding], b_findings: list[Finding], operators: list[ComparedRow]
) -> list[str]:
    """The whole difference, then causes, parts of the step and operators, of each the largest change first."""
    if not breakdown:
        return ["One of the profiles has no steps: the tables compare the whole traces."]
    step = breakdown[0]
    difference = step.b_ns - step.a_ns
    floor = MIN_SHARE * max(abs(difference), 0.1 * step.a_ns)
    return [
        difference_sentence(step),
        *finding_sentences(a_findings, b_findings, difference, floor),
        *part_sentences(breakdown[1:], difference, floor),
        *operator_sentences(operators, difference, floor),
    ]


def difference_sentence(step: ComparedStep) -> str:
    difference = step.b_ns - step.a_ns
    if abs(difference) <= SAME_SHARE * step.a_ns:
        return f"Both take the same time for a step: {in_ms(step.a_ns)} and {in_ms(step.b_ns)}."
    share = f" ({abs(difference) / step.a_ns:.0%})" if step.a_ns else ""
    word = "longer" if difference > 0 else "shorter"
    return f"A step of B is {in_ms(abs(difference))}{share} {word} than one of A."


def finding_sentences(a: list[Finding], b: list[Finding], difference: int, floor: float) -> list[str]:
    """Causes that cost more in one of the two."""
    a_by_code, b_by_code = ({finding.code: finding for finding in found} for found in (a, b))
    changes: list[tuple[int, str]] = []
    for code in a_by_code.keys() | b_by_code.keys():
        before, after = a_by_code.get(code), b_by_code.get(code)
        change = (after.gain_ns if after else 0) - (before.gain_ns if before else 0)
        where = "In both" if before and after else "In B alone" if after else "In A alone"
        text = after.text if after else before.text if before else ""
        compared = f" {'more' if change > 0 else 'less'} in B" if before and after else ""
        costs = f"{in_ms(abs(change))} a step{compared}{explains(change, difference)}"
        changes.append((change, f"{where}: {text} It costs {costs}."))
    changes.sort(key=lambda each: (-abs(each[0]), each[1]))
    return [sentence for change, sentence in changes[:MAX_FINDINGS] if change and abs(change) >= floor]


def part_sentences(parts: list[ComparedStep], difference: int, floor: float) -> Iterator[str]:
    for part in sorted(parts, key=lambda part: -abs(part.b_ns - part.a_ns))[:MAX_PARTS]:
        change = part.b_ns - part.a_ns
        if change and abs(change) >= floor:
            yield f"{PART_NAMES[part.part]}: {changed(change)} a step{explains(change, difference)}."


def operator_sentences(operators: list[ComparedRow], difference: int, floor: float) -> Iterator[str]:
    for row in operators[:MAX_OPERATORS]:
        change, calls = row.b_ns - row.a_ns, row.b_calls - row.a_calls
        if change and abs(change) >= floor:
            word = f"{'more' if calls > 0 else 'fewer'} {'call' if abs(calls) == 1 else 'calls'}"
            how = f", with {abs(calls):,} {word}" if calls else ""
            yield f"{shortened(row.name)}: {changed(change)} a step{how}{explains(change, difference)}."


def changed(change: int) -> str:
    return f"{in_ms(abs(change))} {'more' if change > 0 else 'less'}"


def explains(change: int, difference: int) -> str:
    """Only what goes the same way explains it."""
    if not difference or (change > 0) != (difference > 0):
        return ""
    share = change / difference
    return " (more than the whole difference)" if share > 1.005 else f" ({share:.0%} of the difference)"
