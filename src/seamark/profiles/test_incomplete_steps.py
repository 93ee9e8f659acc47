"""Every number is over the same steps: those of the mean, without one that the end of the profile has cut."""

from __future__ import annotations

from seamark.profiles.analyses.input_pipeline import find_input_pipeline
from seamark.profiles.analyses.overview import find_overview
from seamark.profiles.findings.rules import findings_of_ranks
from seamark.profiles.profile import Profile
from seamark.profiles.testing_events import profile_of, slice_event, step_event


def cut_profile() -> Profile:
    """Two steps that wait for input for 300 of 1,000 us, and a last one that does nothing but wait."""
    waiting = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
    events = []
    for step in range(2):
        start = 1000 * step
        events += [step_event(step, start, 1000), slice_event(waiting, start, 300)]
        events += [slice_event("aten::mm", start + 300 + 10 * at, 10) for at in range(60)]
    return profile_of([*events, step_event(2, 2000, 5000), slice_event(waiting, 2000, 4900)])


def test_an_incomplete_step_counts_in_no_finding() -> None:
    profile = cut_profile()
    overview = profile.get(find_overview)
    assert overview.notes == ["1 incomplete step is not in the mean."]
    share = overview.mean["input"] / sum(overview.mean.values())
    (found,) = [finding for finding in findings_of_ranks([("", profile)], 0).findings if finding.code == "input_bound"]
    assert (found.text, round(found.gain, 3)) == ("The step waits for input in 2 of 2 steps.", round(share, 3))
    assert "(30%)" in profile.get(find_input_pipeline).advice[0]
