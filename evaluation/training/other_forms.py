"""The pages of packages to train ``auto`` with, and the same in other forms: as news sites show a
story among others, in menus above it and in lists beside it.

Each story has a headline that is a link, and its first sentence; both come from other pages of the
same package and language. It is markup of many sites, but of few pages with gold text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from random import Random
from typing import Final, NamedTuple
from zlib import crc32

import numpy as np

from winnow.document.addresses import host_of, registrable_domain
from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.document.values import Page
from winnow.evaluation.gold.gold_shares import shares_of
from winnow.evaluation.gold.packages import Package, PackageEntry
from winnow.evaluation.measuring.words import words
from winnow.extractors.auto.training.training_examples import AutoExample, PageForm, bare_of

NEWS: Final = frozenset({"newspaper4k-424", "fundus-publishers"})
"""Packages of articles alone, whose pages say no type."""
_FEWEST, _MOST = 4, 15
"""Stories of a list."""
_HEADLINE, _PARAGRAPH, _SENTENCE = 15, 60, 320
"""Characters of a headline and of a paragraph at least, of a sentence at most."""
_ENDS: Final = (". ", "\u3002", "! ", "? ")
_WHERE: Final = ("before", "behind", "before behind")
_FORMS: Final = (
    "<p>{day}{link}<br>{text}</p>",
    "<div>{day}{link}</div><div>{text}</div>",
    "{day}{link}<br><br>{text}<br><br>",
    "<h3>{link}</h3><p>{day}{text}</p>",
    "<table><tr><td>{day}{link}</td></tr><tr><td>{text}</td></tr></table>",
    "<div><b>{day}</b> {link} {text}</div>",
)


class Story(NamedTuple):
    """A headline and the first sentence below it."""

    headline: str
    text: str


Stories = Mapping[str, Sequence[Story]]
"""Of each package and language."""


def stories_of(packages: Sequence[Package]) -> Stories:
    """The stories of packages' pages that have a title and a paragraph."""
    found: dict[str, list[Story]] = {}
    for package in packages:
        for entry in package:
            headline = str(entry.meta.get("title") or "")
            paragraphs = (line for line in entry.gold.splitlines() if len(line) > _PARAGRAPH)
            text = _sentence(next(paragraphs, ""))
            if len(headline) > _HEADLINE and text:
                found.setdefault(_key(package.name, entry), []).append(Story(headline, text))
    return found


def other_forms(
    package: str, entry: PackageEntry, example: AutoExample, stories: Stories
) -> Iterator[PageForm]:
    """A page with lists of other stories around its text, and one with a menu of them above its
    headline; neither where the package has too few in its language."""
    some: Sequence[Story] = stories.get(_key(package, entry), ())
    if len(some) <= _MOST:
        some = [story for key, own in stories.items() if key.startswith(package) for story in own]
    some = [story for story in some if story.headline != entry.meta.get("title")]
    starts = _content(example)
    if len(some) < _MOST or not starts:
        return
    draw = Random(crc32(entry.id.encode()))  # noqa: S311 - the same in every run
    for markup in (
        _listed(example.document, starts, draw, some),
        _below_menu(example.document, starts[0], draw, some),
    ):
        document = Document.from_html(markup, entry.url)
        blocks = blocks_of(document)
        yield PageForm(document, blocks, shares_of(document, blocks, entry.gold))


def _content(example: AutoExample) -> list[int]:
    """The block elements of what is content and no short line."""
    blocks = example.blocks
    is_text = (example.shares > 0.5) & (blocks.words >= 8) & (blocks.element >= 0)
    found: list[int] = blocks.element[np.flatnonzero(is_text)].tolist()
    return found


def _listed(
    document: Document, content: Sequence[int], draw: Random, stories: Sequence[Story]
) -> str:
    """The page with a list before its text, behind it, or both, in the text's own element."""
    elements, markup, where = document.elements, document.markup, draw.choice(_WHERE)
    start = int(elements.open_start[content[0]])
    end = max(int(elements.close_end[content[-1]]), start)
    lists = [
        _list(draw, draw.sample(stories, draw.randrange(_FEWEST, _MOST))) if side in where else ""
        for side in ("before", "behind")
    ]
    return f"{markup[:start]}{lists[0]}{markup[start:end]}{lists[1]}{markup[end:]}"


def _below_menu(document: Document, first: int, draw: Random, stories: Sequence[Story]) -> str:
    """The page with a menu above its headline: sections, each with some stories."""
    elements, markup = document.elements, document.markup
    heads = [
        head
        for head in document.elements_named("h1")
        if elements.open_start[head] <= elements.open_start[first]
    ]
    at = int(elements.open_start[heads[-1] if heads else first])
    sections = "".join(
        f'<li><a href="/">{escape(draw.choice(stories).headline.split()[0])}</a>'
        f"{_list(draw, draw.sample(stories, draw.randrange(3, 7)))}</li>"
        for _ in range(draw.randrange(1, 5))
    )
    headline = "" if heads else f"<h1>{escape(document.title)}</h1>" if document.title else ""
    return f"{markup[:at]}<ul>{sections}</ul>{headline}{markup[at:]}"


def _list(draw: Random, stories: Sequence[Story]) -> str:
    """Stories in one of _FORMS, two of five lists with a day for each."""
    form, is_dated = draw.choice(_FORMS), draw.random() < 0.4
    return "".join(
        form.format(
            day=f"{draw.randrange(1, 29)}.{draw.randrange(1, 13)}.20{draw.randrange(4, 25):02} "
            if is_dated
            else "",
            link=f'<a href="/{draw.randrange(9999)}.html">{escape(story.headline)}</a>',
            text=escape(story.text),
        )
        for story in stories
    )


def _sentence(paragraph: str) -> str:
    """A paragraph's first sentence."""
    ends = [paragraph.find(end, 40) for end in _ENDS]
    end = min((at for at in ends if at > 0), default=_SENTENCE)
    return paragraph[: min(end + 1, _SENTENCE)]


def _key(package: str, entry: PackageEntry) -> str:
    return f"{package} {entry.meta.get('language') or ''}"


@dataclass(frozen=True, slots=True, eq=False)
class TrainingEntry:
    """An example with the entry that it was made from."""

    package: str
    entry: PackageEntry
    example: AutoExample


def domain_of(entry: PackageEntry) -> str:
    """The registrable domain of a page; the entry's site or name if it has no address."""
    host = host_of(entry.url or "") or str(entry.meta.get("site") or entry.id)
    return registrable_domain(host)


def type_of(package: str, entry: PackageEntry) -> str | None:
    """The page type that the entry or its package says."""
    return entry.page_type or ("article" if package in NEWS else None)


def training_entries(packages: Sequence[Package]) -> Iterator[TrainingEntry]:
    """The pages of packages as examples to train with."""
    stories = stories_of(packages)
    for package in packages:
        for entry in package:
            document = Document.parse(Page(entry.body, entry.url))
            blocks = blocks_of(document)
            shares = shares_of(document, blocks, entry.gold)
            bare = bare_of(document, blocks, shares) if entry.gold.strip() else None
            example = AutoExample(
                document,
                blocks,
                shares,
                len(words(entry.gold)),
                domain_of(entry),
                type_of(package.name, entry),
                bare,
            )
            forms = partial(other_forms, package.name, entry, example, stories)
            yield TrainingEntry(package.name, entry, replace(example, forms=forms))
