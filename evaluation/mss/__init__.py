"""Experiments with the MSS family that the paper reports."""
