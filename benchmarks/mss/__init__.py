"""Experiments with the MSS family that the paper reports: ``python -m benchmarks.mss``."""
