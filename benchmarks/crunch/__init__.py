"""Crunch measured on packages: levels, thresholds, genres, lists of ads."""
