"""The peers by name: what each installs, at the versions that were measured."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from winnow.evaluation.errors import SubjectError


class PeerKind(StrEnum):
    """What runs a peer."""

    PYTHON = "python"
    NODE = "node"


@dataclass(frozen=True, slots=True)
class Peer:
    """An installable extractor; ``requirements`` are as pip or npm take them."""

    name: str
    requirements: tuple[str, ...]
    kind: PeerKind = PeerKind.PYTHON


PEERS: tuple[Peer, ...] = (
    Peer("trafilatura", ("trafilatura==2.3.1", "lxml_html_clean")),
    Peer("resiliparse", ("Resiliparse==2.0.1",)),
    Peer("readability-lxml", ("readability-lxml==0.9", "lxml_html_clean")),
    Peer("justext", ("jusText==3.0.2", "lxml_html_clean")),
    Peer("boilerpy3", ("boilerpy3==1.0.7",)),
    Peer("newspaper4k", ("newspaper4k[all]==0.9.6",)),
    Peer("goose3", ("goose3[all]==3.1.22",)),
    Peer("inscriptis", ("inscriptis==2.7.6",)),
    Peer("readability-js", ("@mozilla/readability@0.6.0", "jsdom@26.1.0"), PeerKind.NODE),
    Peer("readability-linkedom", ("@mozilla/readability@0.6.0", "linkedom@0.18.12"), PeerKind.NODE),
)


def named(name: str) -> Peer:
    """The peer of a name; ``SubjectError`` with a sentence that lists the peers."""
    for peer in PEERS:
        if peer.name == name.lower():
            return peer
    listed = ", ".join(peer.name for peer in PEERS)
    raise SubjectError(f"There is no peer {name}: the peers are {listed}.")
