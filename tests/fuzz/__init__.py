"""Inputs that nobody would write, by the hundred thousand: ``make fuzz``."""
