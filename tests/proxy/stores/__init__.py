"""Tests of proxy.stores."""
