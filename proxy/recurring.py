"""Requests that come again, equal to the last byte, and what was decided of them; decides nothing.

Choices are pure functions, so what was chosen for a request holds for its equals, as long as all
that decided besides the request is as it was. Who puts a choice down here puts that down with it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from proxy.headers import Headers
from proxy.upstream.origins import Origin
from proxy.values import RequestHead

MOST: Final = 128
"""Requests that are remembered: some sixty objects each, which the garbage collector looks at."""
LONGEST: Final = 4096
"""Bytes of a request's head that is remembered."""
SECRET: Final = frozenset({b"cookie", b"authorization", b"proxy-authorization"})
"""Fields whose requests are not remembered: what tells who somebody is stays nowhere."""

Line = tuple[str, str, tuple[int, int]]
"""Method, target and version: the request line (RFC 9112, section 3)."""
RawFields = Sequence[tuple[bytes, bytes]]


class Recurring:
    """A request's head, and places for what was decided of it, by whom it concerns.

    ``lasting``: its equals will find it again.
    """

    __slots__ = ("head", "lasting", "made", "plan", "routed")

    def __init__(self, head: RequestHead, *, lasting: bool = False) -> None:
        self.head = head
        self.lasting = lasting
        self.routed: object = None
        self.plan: object = None
        self.made: object = None


class Recurrences:
    """The requests that came last; equal ones get the same ``Recurring``."""

    def __init__(self) -> None:
        self._known: OrderedDict[object, Recurring] = OrderedDict()

    def __call__(
        self, line: Line, raw: RawFields, client: str, inside: Origin | None = None
    ) -> Recurring:
        """``raw``: the fields as they came; the others as in ``RequestHead``."""
        key = (line, raw, client, inside)
        known = self._known.get(key)
        if known is not None:
            self._known.move_to_end(key)
            return known
        method, target, version = line
        head = RequestHead(method, target, Headers.from_raw(raw), client, version, inside)
        fresh = Recurring(head, lasting=_may_be_remembered(target, raw))
        if fresh.lasting:
            self._known[key] = fresh
            if len(self._known) > MOST:
                self._known.popitem(last=False)
        return fresh


def _may_be_remembered(target: str, raw: RawFields) -> bool:
    size = len(target) + sum([len(name) + len(value) for name, value in raw])
    return size <= LONGEST and SECRET.isdisjoint([name.lower() for name, _ in raw])
