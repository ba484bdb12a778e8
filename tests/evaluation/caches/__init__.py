"""Tests of evaluation.caches."""
