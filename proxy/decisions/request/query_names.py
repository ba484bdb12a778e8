"""The names of query parameters that gateway and API know; another is an error."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Final

from winnow.proxy.decisions.request.preferences import NAMES
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.sentences import says

PARAMETERS: Final = ("url", *NAMES, "token")


def check_parameters(query: Mapping[str, str], *more: str) -> None:
    """Raises ClientFaultError for a name that there is not, with the nearest that there is.

    ``more``: those of one address alone.
    """
    known = (*PARAMETERS, *more)
    for name in query:
        if name in known:
            continue
        near = difflib.get_close_matches(name, known, 1)
        message = (
            says("There is no parameter “{name}”: did you mean “{near}”?", name=name, near=near[0])
            if near
            else says(
                "There is no parameter “{name}”: choose from {names}.",
                name=name,
                names=", ".join(known),
            )
        )
        if "url" in query:
            message = says(
                "{message} In the address behind url=, & is written %26.", message=message
            )
        raise ClientFaultError(message, 400, "unknown-parameter")
