"""Tests of winnow.proxy.caching."""
