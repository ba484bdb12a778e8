"""Tests of proxy.watching."""
