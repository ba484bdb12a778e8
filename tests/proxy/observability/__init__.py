"""Tests of winnow.proxy.observability."""
