"""Tests of proxy.pages."""
