"""Tests of benchmarks.caches."""
