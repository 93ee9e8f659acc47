"""Side-by-side measurements of Seamark and TensorBoard: run `python -m bench`, read RESULTS.md."""
