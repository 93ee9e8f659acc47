"""Steps: when each step of the training loop starts and ends, by the best source that the trace has."""

from seamark.profiles.analyses.steps.find import complete_steps as complete_steps
from seamark.profiles.analyses.steps.find import find_steps as find_steps
