"""Tests of proxy.tls."""
