"""Compares Seamark with TensorBoard: run `python -m bench`, then read RESULTS.md."""
