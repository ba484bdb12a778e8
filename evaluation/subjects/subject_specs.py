"""A subject as a value that crosses processes, and how it is opened in another process."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from winnow.document.document import BareDocument, Document
from winnow.evaluation.peers.catalogue import named
from winnow.evaluation.peers.environments import command, command_here
from winnow.evaluation.peers.process import Process
from winnow.evaluation.subjects.command_subject import Command
from winnow.evaluation.subjects.proxy_subject import ThroughProxy
from winnow.evaluation.subjects.subject import Direct, Subject
from winnow.extractors.registry import DEFAULT, make


class SubjectKind(StrEnum):
    """Where a subject's work is done."""

    EXTRACTOR = "extractor"
    PEER = "peer"
    THROUGH = "through"
    COMMAND = "command"
    ARTICLE = "article"
    """Winnow as a whole: the text of ``winnow.extract``, with the steps behind the method."""


@dataclass(frozen=True, slots=True)
class Spec:
    """``name`` is an extractor's specification, a peer's name, a proxy's address or a command."""

    kind: SubjectKind
    name: str
    headers: tuple[tuple[str, str], ...] = ()
    parent: str = ""
    """Where a proxy finds its parent (ThroughProxy)."""
    bare: bool = False
    """Whether an extractor reads the page as its paper does (BareDocument)."""

    def open(self) -> Subject:
        """The subject, ready to answer.

        Raises an ``EvaluationError`` or an ``ExtractorError`` where there is none of that name.
        """
        if self.kind is SubjectKind.EXTRACTOR:
            kind = BareDocument if self.bare else Document
            return Direct(self.name, make(self.name), kind)
        if self.kind is SubjectKind.PEER:
            return peer(self.name)
        if self.kind is SubjectKind.THROUGH:
            return ThroughProxy.at(self.name, self.headers, self.parent)
        if self.kind is SubjectKind.ARTICLE:
            return Process(self.name, command_here(self.name))
        return Command.named(self.name)

    def fingerprint(self) -> str:
        """Version and parameters, as far as they can be determined."""
        if self.kind is SubjectKind.EXTRACTOR:
            return make(self.name).fingerprint + " bare" * self.bare
        if self.kind is SubjectKind.PEER:
            return " ".join(named(self.name).requirements)
        return f"{self.name} {self.headers} {self.parent}"


def peer(name: str) -> Process:
    """Another project's program. Raises an ``EvaluationError`` where there is none of that name."""
    return Process(name, command(named(name)))


WHOLE: Final = Spec(SubjectKind.ARTICLE, "winnow")
"""What a reader gets of ``auto``, beside whose name it stands for an extractor's."""


def method_of(name: str) -> str:
    """The specification of the method behind a subject: of Winnow as a whole its default one, where
    what is measured is a reader page, a confidence or the steps behind the method."""
    return DEFAULT if name == WHOLE.name else name
