"""What a site rule did to a page: what it adds to the article and takes out. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Final

from markupsafe import Markup

from winnow.proxy.own.templates.base_page import listed
from winnow.proxy.own.translation import _, filled, ngettext, number

TRIAL_STYLE: Final = Markup(
    """
#tried ins, #tried del { display: block; padding: .2rem .8rem; margin: .4rem 0; color: inherit;
  border-inline-start: .35rem solid #2e7d32; background: #2e7d321f; text-decoration: none; }
#tried del { border-color: #c0392b; background: #c0392b1f; text-decoration: line-through; }
#tried p { margin: .4rem 0; }
"""
)


@dataclass(frozen=True)
class RuleTried:
    """``before``: the article's text by the method alone, ``after``: by the rule, ``idle``: its
    selectors that find nothing on the page. ``mode``: the rule's, ``fits``: it is for this page."""

    url: str
    before: str
    after: str
    idle: tuple[str, ...] = ()
    mode: str = "auto"
    fits: bool = True


def trial_part(tried: RuleTried) -> Markup:
    """What was added and removed, in the order of the page."""
    summary = filled(
        _("With this rule the article of {page} has {after} words, without it {before}."),
        page=Markup('<a href="{0}" dir="ltr" rel="noreferrer">{0}</a>').format(tried.url),
        after=number(len(tried.after.split())),
        before=number(len(tried.before.split())),
    )
    notes = listed(tuple(_notes(tried)))
    return Markup(
        '<section id="tried" role="status"><h2>{}</h2>\n<p>{}</p>\n{}{}</section>\n'
    ).format(
        _("What the rule does"),
        summary,
        notes,
        Markup("\n").join(_drawn(_blocks(tried.before), _blocks(tried.after))),
    )


def _notes(tried: RuleTried) -> Iterator[Markup]:
    if not tried.fits:
        yield filled(_("The page is not of this site: the rule does not hold for it."))
    if tried.mode == "never":
        yield filled(_("Pages of this site are not changed, unless you ask for the article."))
    if tried.mode == "tidy":
        yield filled(_("Pages of this site are tidied; this is the article, if you ask for it."))
    for selector in tried.idle:
        code = Markup("<code>{}</code>").format(selector)
        yield filled(_("{selector} finds no text on this page."), selector=code)


def _blocks(text: str) -> list[str]:
    return [block for block in text.split("\n\n") if block.strip()]


def _drawn(before: Sequence[str], after: Sequence[str]) -> Iterator[Markup]:
    changes = [*_merged(before, after)]
    for mark, group in groupby(changes, key=itemgetter(0)):
        blocks = [text for _mark, text in group]
        if mark:
            form = Markup('<{0} dir="auto">{{}}</{0}>').format(mark)
            yield from (form.format(text) for text in blocks)
        else:
            yield _same(blocks)
    if not any(mark for mark, _text in changes):
        yield Markup("<p><strong>{}</strong></p>").format(_("The rule changes nothing here."))


def _merged(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Blocks with "del", "ins", or "" for what stands in both. O(blocks)."""
    gone, new = Counter(before) - Counter(after), Counter(after) - Counter(before)
    rest = iter(after)
    for text in before:
        if gone[text]:
            gone[text] -= 1
            yield "del", text
            continue
        for other in rest:
            if not new[other]:
                break
            new[other] -= 1
            yield "ins", other
        yield "", text
    yield from (("ins", other) for other in rest if new[other])


def _same(blocks: Sequence[str]) -> Markup:
    text = ngettext("{number} paragraph stays.", "{number} paragraphs stay.", len(blocks))
    shown = Markup("").join(Markup('<p dir="auto">{}</p>').format(block) for block in blocks)
    return Markup("<details><summary>{}</summary>{}</details>").format(text, shown)
