"""Tests of winnow.proxy.stores."""
