"""Wheels as they are published: built, made portable, installed without a compiler, used."""
