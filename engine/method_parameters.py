"""The parameters that methods declare, for forms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple, replace

from winnow.extractors import registry
from winnow.extractors.crunch import filter_protocol
from winnow.extractors.errors import UnknownExtractorError
from winnow.extractors.parameters import DeclaredParameter, declared, defaults
from winnow.jobs.results import MethodParameter


def parameters_of(methods: Sequence[str]) -> tuple[MethodParameter, ...]:
    """What each method declares, each method once; of one that does not exist, nothing."""
    found = []
    for name in dict.fromkeys(method.partition(":")[0] for method in methods):
        try:
            maker = registry.factory(name)
        except UnknownExtractorError:
            continue
        plug_ins = _of_filters() if "filters" in (defaults(maker) or ()) else ()
        listed = (*declared(maker), *plug_ins)
        found += [MethodParameter(name, *astuple(each)) for each in listed]
    return tuple(found)


def _of_filters() -> Iterator[DeclaredParameter]:
    """A switch for each third party's filter, and what it declares."""
    for name in filter_protocol.names():
        yield DeclaredParameter(name, "false", choices=("false", "true"))
        for each in declared(filter_protocol.factory(name)):
            yield replace(each, name=f"{name}.{each.name}")
