"""What a site rule did to a page: what it adds to the article and takes out. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Final

from markupsafe import Markup

from winnow.proxy.own.page_templates import own_file, page_template

TRIAL_STYLE: Final = own_file(__package__, "rule_trial.css")
_TEMPLATE: Final = page_template(__package__, "rule_trial.html")


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
    merged = _merged(_blocks(tried.before), _blocks(tried.after))
    changes = [
        (mark, [text for _mark, text in group]) for mark, group in groupby(merged, itemgetter(0))
    ]
    return _TEMPLATE(tried=tried, changes=changes)


def _blocks(text: str) -> list[str]:
    return [block for block in text.split("\n\n") if block.strip()]


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
