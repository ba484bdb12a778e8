"""Calls a compiled loop, or its definition in Python where the loop fails.

Every compiled loop checks the sizes and indexes of its arguments and raises ValueError for what
does not fit. The definition then does the work, and a warning is logged.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial, update_wrapper
from importlib import import_module
from typing import Any, Final, ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")
_LOG = logging.getLogger("winnow.compiled")


def optional_module(name: str) -> Any:
    """The compiled module of this name; None where Winnow was installed without a C compiler."""
    try:
        return import_module(name)
    except ImportError:
        return None


calls: Final = optional_module("winnow.document._calls")
"""What stands around a step, without a frame of Python for each call; None if not compiled."""


def loop(compiled: Callable[P, T] | None, definition: Callable[P, T]) -> Callable[P, T]:
    """``compiled``, and where that is None or raises, its definition in Python.

    It raises what ``definition`` raises; MemoryError at once, since that needs more memory. A loop
    of C's own takes no arguments by name.
    """
    if not (compiled and calls):
        return definition
    told = partial(report, definition.__qualname__)
    return like(definition, calls.loop(compiled, definition, told))


def like(definition: T, made: Any) -> T:
    """What was made around a definition in C, with its name and documentation."""
    named: Any = update_wrapper(made, cast("Callable[..., Any]", definition))
    found: T = named
    return found


def report(definition: str, error: Exception) -> None:
    """Log that a compiled loop failed, by the name of the definition that takes its place."""
    _LOG.warning("A compiled loop failed, %s takes its place: %r", definition, error)
