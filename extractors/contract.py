"""The contract of every extractor as checks that a package with an extractor runs in its own tests.

``checks`` is for a test runner, ``check_extractor`` for a shell. Modelled on scikit-learn's
``check_estimator``: one suite, for built-in and installed extractors alike.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

import numpy as np

from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.extractors.explanation import covered_blocks, explanation
from winnow.extractors.extractor_protocol import Extractor
from winnow.extractors.registry import make

SENTENCE: Final = "The river rose in the night and by morning the lower road was under water. "
ARTICLE: Final = f"""<!doctype html><html lang=en><title>Flood</title><body>
<nav><ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/sport>Sport</a></ul></nav>
<div id=main><h1>Flood</h1><p>{SENTENCE * 3}</p><img src=a.jpg alt=River>
<p>{SENTENCE * 4} <a href=/b>More</a></p><div hidden>secret</div></div>
<table><tr><td><a href=1>one</a> <a href=2>two</a></td><td>{SENTENCE}</td></tr></table>
<footer><a href=/imprint>Imprint</a></footer></body></html>"""

PAGES: Final[Mapping[str, str | bytes]] = MappingProxyType(
    {
        "article": ARTICLE,
        "empty": b"",
        "blank": "   \n ",
        "forty bytes": "<html><body><p>Hello, world!</p></body>",
        "no sentences": "<table><tr><td>1<td>2<td>3</table>" * 5,
        "text alone": "just text, no markup at all",
        "unclosed": "<div><p>a<b>b<i>c<table><tr><td>d<ul><li>e",
        "crossed": "<b>a<p>b</b>c</p></div></td>d",
        "nul bytes": b"<p>a\0b</p>\0<p>c",
        "no html": bytes(range(256)) * 8,
        "deep": "<div>" * 500 + SENTENCE,
        "broad": "<p>word" * 20_000,
        "one word": "x" * 200_000,
        "images alone": "<img src=a><img src=b>",
        "frameset": "<frameset><frame src=a><noframes>no</noframes></frameset>",
        "noscript": f"<noscript><div>{SENTENCE * 5}</div></noscript>",
        "hidden": f"<div style='display:none'><p>{SENTENCE * 5}</p></div>",
        "right to left": "<html dir=rtl lang=ar><p>" + "ارتفع منسوب النهر أثناء الليل. " * 9,
        "chinese": "<html lang=zh><div><p>" + "河水在夜里上涨，早晨低处的道路被淹没了。" * 9,
        "thai": "<html lang=th><div><p>" + "น้ำในแม่น้ำสูงขึ้นในตอนกลางคืน " * 9,
        "links alone": "<a href=x>link</a> " * 200,
        "surrogates": "<p>a\ud800b</p>",
    }
)
"""Pages that no extractor may fail on, by name."""
_NETWORK: Final = frozenset({"aiohttp", "http", "socket", "urllib3", "requests", "httpx"})


class ContractError(AssertionError):
    """An extractor broke a rule of the contract; the message names extractor, rule and page."""


@dataclass(frozen=True, slots=True)
class ContractCheck:
    """One rule applied to one extractor. Calling it raises ContractError if the rule is broken."""

    specification: str
    rule: str
    run: Callable[[str], None]

    def __call__(self) -> None:
        try:
            self.run(self.specification)
        except ContractError as error:
            raise ContractError(f"{self.specification}: {self.rule}: {error}") from None

    def __str__(self) -> str:
        return f"{self.specification}: {self.rule}"


def checks(*specifications: str) -> list[ContractCheck]:
    """Every rule for each of these extractors, which must be registered."""
    return [
        ContractCheck(name, rule, run) for name in specifications for rule, run in RULES.items()
    ]


def check_extractor(specification: str) -> None:
    """Apply every rule. Raises ContractError for the first that is broken."""
    for check in checks(specification):
        check()


@cache
def documents() -> Mapping[str, Document]:
    """PAGES, parsed once."""
    return {name: Document.from_html(page, "http://example.org/a") for name, page in PAGES.items()}


def columns(document: Document) -> Iterator[np.ndarray[tuple[int, ...], np.dtype[np.int32]]]:
    """The arrays that a document consists of."""
    for part in (document.elements, document.pieces):
        yield from (getattr(part, name) for name in part.__slots__)


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise ContractError(message)


def _each(specification: str) -> Iterator[tuple[str, Document, Extractor]]:
    extractor = make(specification)
    for page, document in documents().items():
        yield page, document, extractor


def _spans_are_valid(specification: str) -> None:
    for page, document, extractor in _each(specification):
        spans = extractor.extract(document).spans
        edges = [edge for span in spans for edge in (span.start, span.end)]
        _require(edges == sorted(edges), f"spans of {page!r} overlap or are not sorted")
        inside = all(0 <= edge <= len(document.text) for edge in edges)
        _require(inside, f"a span of {page!r} ends beyond the text")
        empty = [span for span in spans if not document.text[span.start : span.end].strip()]
        _require(not empty, f"a span of {page!r} holds white space alone")


def _is_deterministic(specification: str) -> None:
    again = make(specification)
    for page, document, extractor in _each(specification):
        same = extractor.extract(document) == again.extract(document)
        _require(same, f"two calls on {page!r} differ")


def _leaves_the_document_unchanged(specification: str) -> None:
    document = Document.from_html(ARTICLE, "http://example.org/a")
    before = document.markup, document.text
    arrays = [column.copy() for column in columns(document)]
    make(specification).extract(document)
    _require((document.markup, document.text) == before, "markup or text changed")
    same = all(map(np.array_equal, columns(document), arrays))
    _require(same, "elements or pieces changed")


def _names_itself(specification: str) -> None:
    for page, document, extractor in _each(specification):
        extraction = extractor.extract(document)
        named = extraction.extractor == extractor.name
        _require(named, f"{page!r}: Extraction.extractor is not the extractor's name")
        is_plain = type(extraction.confidence) in (float, int)  # arrays' numbers cross no process
        _require(is_plain, f"{page!r}: confidence is a {type(extraction.confidence).__name__}")
        bounded = 0 <= extraction.confidence <= 1
        _require(bounded, f"{page!r}: confidence {extraction.confidence} is outside 0 to 1")


def _can_be_made_from_its_name(specification: str) -> None:
    extractor = make(specification)
    again = make(extractor.name)
    same = (again.name, again.fingerprint) == (extractor.name, extractor.fingerprint)
    _require(same, f"{extractor.name!r} makes {again.name!r}, or another fingerprint")


def _crosses_processes(specification: str) -> None:
    extraction = make(specification).extract(documents()["article"])
    copy = pickle.loads(pickle.dumps(extraction))  # noqa: S301 - bytes made in the same line
    _require(copy == extraction, "the extraction is not the same in another process")


def _edits_are_valid(specification: str) -> None:
    for page, document, extractor in _each(specification):
        edits = extractor.extract(document).edits
        inside = all(0 <= edit.element < len(document.elements) for edit in edits)
        _require(inside, f"an edit of {page!r} names no element of the document")


def _explains_each_block(specification: str) -> None:
    again = make(specification)
    for page, document, extractor in _each(specification):
        blocks, reasons = blocks_of(document), explanation(extractor, document)
        ranges = zip(blocks.start.tolist(), blocks.end.tolist(), strict=True)
        complete = [(reason.start, reason.end) for reason in reasons] == [*ranges]
        _require(complete, f"{page!r}: not one reason for each block")
        covered = covered_blocks(document, extractor.extract(document).spans).tolist()
        agree = [reason.kept for reason in reasons] == covered
        _require(agree, f"{page!r}: a reason says otherwise than the spans")
        _require(explanation(again, document) == reasons, f"two explanations of {page!r} differ")


def _does_not_use_the_network(specification: str) -> None:
    module = sys.modules[type(make(specification)).__module__]
    found = sorted(_NETWORK & set(vars(module)))
    _require(not found, f"its module imports {', '.join(found)}")


RULES: Final[Mapping[str, Callable[[str], None]]] = MappingProxyType(
    {
        "spans stand inside the text, sorted, disjoint and not empty": _spans_are_valid,
        "the same document gives the same extraction": _is_deterministic,
        "the document is not changed": _leaves_the_document_unchanged,
        "the extraction names its extractor, with a confidence from 0 to 1": _names_itself,
        "the extractor's name makes it again, fingerprint included": _can_be_made_from_its_name,
        "the extraction crosses processes": _crosses_processes,
        "edits name elements of the document": _edits_are_valid,
        "explain() has a reason for each block and agrees with the spans": _explains_each_block,
        "no network module is imported": _does_not_use_the_network,
    }
)
"""Each rule in words and its check; a check takes an extractor's specification."""
