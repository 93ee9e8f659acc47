"""Graphs of a run, a tag or a Keras model, as protobuf text."""
