"""Tests of proxy.caching."""
