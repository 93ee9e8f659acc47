"""Input pipeline: the stages of DataLoader and tf.data, and how long each step waits."""

from seamark.profiles.analyses.input_pipeline.advice import stage_advice as stage_advice
from seamark.profiles.analyses.input_pipeline.find import find_input_pipeline as find_input_pipeline
