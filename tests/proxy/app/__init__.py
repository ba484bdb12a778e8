"""Tests of the proxy: the request dispatcher."""
