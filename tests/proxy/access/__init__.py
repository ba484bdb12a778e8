"""Tests of proxy.access."""
