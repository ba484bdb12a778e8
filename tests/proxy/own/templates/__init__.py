"""Tests of winnow.proxy.own.templates."""
