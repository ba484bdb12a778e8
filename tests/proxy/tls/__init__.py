"""Tests of winnow.proxy.tls."""
