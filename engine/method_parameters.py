"""The parameters that methods declare, for forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple

from winnow.extractors import registry
from winnow.extractors.errors import UnknownExtractorError
from winnow.extractors.parameters import declared
from winnow.jobs.results import MethodParameter


def parameters_of(methods: Sequence[str]) -> tuple[MethodParameter, ...]:
    """What each method declares, each method once; of one that does not exist, nothing."""
    found = []
    for name in dict.fromkeys(method.partition(":")[0] for method in methods):
        try:
            listed = declared(registry.factory(name))
        except UnknownExtractorError:
            continue
        found += [MethodParameter(name, *astuple(each)) for each in listed]
    return tuple(found)
