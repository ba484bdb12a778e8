"""Compiled code with its definition behind it. Knows functions; no page.

Every compiled loop checks the sizes and indexes that it is given and raises ValueError for what
does not fit. The definition in Python then does the work, and the log says so.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
_LOG = logging.getLogger("winnow.compiled")


def either(
    compiled: Callable[P, T], definition: Callable[P, T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """What ``compiled`` returns; where it raises, what ``definition`` returns.

    Raises what ``definition`` raises.
    """
    try:
        return compiled(*args, **kwargs)
    except Exception as error:  # noqa: BLE001 - whatever it was, the definition is asked
        report(definition.__qualname__, error)
    return definition(*args, **kwargs)


def report(definition: str, error: Exception) -> None:
    """Log that a compiled loop failed, by the name of the definition that takes its place."""
    _LOG.warning("A compiled loop failed, %s takes its place: %r", definition, error)
