"""Analyses: what a trace says about steps, operators, kernels, memory, input and ranks. Each is a function.

`slices` and `device` hold what several of them share, `steps` finds the steps; the rest is one module or package for
each page.
"""
