"""Compiled loops under AddressSanitizer, beside their definitions: ``make sanitize``."""
