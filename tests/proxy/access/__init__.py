"""Tests of winnow.proxy.access."""
