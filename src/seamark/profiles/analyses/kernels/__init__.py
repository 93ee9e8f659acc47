"""Kernels: time on the devices, launch parameters and use of tensor cores."""

from seamark.profiles.analyses.kernels.find import find_kernels as find_kernels
