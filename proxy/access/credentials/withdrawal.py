"""Who is not let in any more: removed or changed users and keys, clients of networks that closed.

What a later gate admits is a JSON value, which other processes are told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from ipaddress import ip_network
from typing import Final

from winnow.proxy.access.client_networks import open_to
from winnow.proxy.access.credentials.authentication import Authenticator
from winnow.proxy.access.requester import RequestHead

Admits = Mapping[str, Sequence[str]]
"""What a gate lets in: ``credentials``, digests of each name with its hash, and ``open_to``."""
Tell = Callable[[Admits], None]
_SIZE: Final = 16


def tell_nobody(_later: Admits) -> None:
    """Nobody else serves anybody."""


def admits(gate: Authenticator) -> Admits:
    """What it lets in."""
    digests = [digest for _, digest in _credentials(gate)]
    return {"credentials": digests, "open_to": [str(each) for each in gate.networks]}


def withdrawn(gate: Authenticator, later: Admits) -> Callable[[RequestHead], bool]:
    """Whether a request that ``gate`` let in comes from one whom the later gate does not."""
    kept = frozenset(later["credentials"])
    gone = {name for name, digest in _credentials(gate) if digest not in kept}
    was_open, is_open = open_to(gate.networks), open_to(tuple(map(ip_network, later["open_to"])))

    def is_withdrawn(head: RequestHead) -> bool:
        if head.user:
            return head.user in gone
        return was_open(head.client) and not is_open(head.client)

    return is_withdrawn


def _credentials(gate: Authenticator) -> Iterator[tuple[str, str]]:
    for kind, hashes in (("user", gate.users), ("key", gate.keys)):
        for name, each in hashes.items():
            text = f"{kind} {name} {each}"
            yield name, blake2b(text.encode(), digest_size=_SIZE).hexdigest()
