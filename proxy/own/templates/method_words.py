"""What methods say of blocks and of their curves, in the reader's language. Pure.

A method knows no language: it says English sentences with figures in them (``BlockReason.rule``,
``MethodCurve``), which are found again among these texts by their form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from string import Formatter
from typing import Final

from markupsafe import Markup, escape

from winnow.proxy.own.translation import N_, _, own_words

RULES: Final = (
    N_("{rule} It is kept with the table, list, code or picture that it belongs to."),
    N_("{rule} Against it speak most: {features}."),
    N_("All text that a browser shows is kept."),
    N_(
        "Its words score +{gain}, the tags in and before it −{cost}; the run of tokens with "
        "the highest sum is kept."
    ),
    N_(
        "The cell or division with most text is kept: {most} characters. The innermost one "
        "around this block holds {own}."
    ),
    N_(
        "The cell or division with most text of its own is kept: {most} characters. The "
        "innermost one around this block holds {own}."
    ),
    N_("{share} of its characters are in links; above {threshold} a block is dropped."),
    N_("Static on this site: the same text stands here on {seen} of {pages} other pages."),
    N_("Words less tags score {score}; the run with the highest sum is kept."),
    N_("What varies in the container of the site’s content is kept, all else dropped."),
    N_("It shows no words."),
    N_("It corresponds to no block of a learned layout."),
    N_("It is the title."),
    N_(
        "DiffScore {difference}, MainScore {main}; blocks behind the title, from "
        "{least_difference} and {least_main} on, are main text."
    ),
    N_("Content with a chance of {score}; blocks above {threshold} are kept."),
    N_("Content with a chance of {score}; of this page one stretch is kept."),
    N_("Its tokens’ learned scores sum to {score}; the run with the highest sum is kept."),
    N_("{share} of {window} tokens around it are tags; areas below {threshold} are kept."),
    N_("{method} filters <{element}> ({operation})."),
    N_("{method} takes the text of cells in which links outweigh words."),
    N_("Content with a probability of {score}, given all blocks of the page."),
    N_(
        "{words} words against {tags} tags in and before it; the one stretch with most words "
        "and fewest tags is kept."
    ),
    N_("nothing of it can be seen"),
    N_(
        "The innermost visual block around it scores {score}; the best one of the page, "
        "{best}, is kept."
    ),
    N_("It holds no text; a picture between texts of the body is kept."),
    N_("The tree takes it for {kind}."),
    N_("Most like stored {kind}, {distance} of the greatest distance away."),
    N_("No article: {paragraphs} paragraphs and {sentences} sentences, where news has 2 and 8."),
)
"""Those with another sentence in them, ``rule``, come first."""
KINDS: Final = (N_("garbage"), N_("titles"), N_("headings"), N_("body text"))
"""``kind`` in the rules of memory."""
FEATURES: Final = (
    N_("blocks marked up like it"),
    N_("the blocks next to it"),
    N_("the classes and ids around it"),
    N_("the kinds of elements around it"),
    N_("the kinds of elements it stands in"),
    N_("where it stands to the title"),
    N_("the heading above it"),
    N_("that the page says it more than once"),
    N_("how much of it is links"),
    N_("what stands in the same boxes"),
    N_("the words in it"),
    N_("how deep in the page it lies"),
    N_("where on the page it stands"),
    N_("that parts of it are hidden"),
    N_("how its text is written"),
)
"""``features`` in those of auto: each stands before a name and a value in brackets."""
CURVES: Final = (
    N_("Token scores, summed"),
    N_(
        "Each word adds 1, each tag takes {tag}: simple-mss takes the run (shaded) that "
        "climbs highest."
    ),
    N_("Learned token scores, summed"),
    N_(
        "Each token adds its learned chance of being in the article, less a half: mss takes "
        "the run (shaded) that climbs highest."
    ),
    N_("Document slope curve"),
    N_(
        "Tags counted along the page: it climbs through markup and is flat in text. Shaded: "
        "the flat areas that dsc takes for content."
    ),
    N_("Blocks’ chances"),
    N_(
        "How likely each block is content, by the model of auto; above {threshold} (shaded) "
        "it is kept."
    ),
    N_("How likely each block is content, by the model of auto; the shaded stretch is kept."),
)
_Form = tuple[str, re.Pattern[str]]


def method_words(english: str) -> str:
    """The text in the reader's language; as it is where it is not of a method of ours."""
    if (found := _found(english)) is None:
        return english
    template, values = found
    return _(template).format_map({name: _value(name, value) for name, value in values.items()})


def method_text(english: str) -> Markup:
    """The same as markup, which says where the text is English."""
    said = not english or is_known(english)
    return escape(method_words(english)) if said else own_words(english)


def is_known(english: str) -> bool:
    """Whether the text, and all that is put into it, can be said in the reader's language."""
    if (found := _found(english)) is None:
        return False
    rule = found[1].get("rule")
    return rule is None or is_known(rule)


def _value(name: str, value: str) -> str:
    if name == "rule":
        return method_words(value)
    if name == "kind" and value in KINDS:
        return _(value)
    if name == "features":
        for phrase in FEATURES:
            value = value.replace(f"{phrase} (", f"{_(phrase)} (")
    return value


@lru_cache(maxsize=1024)
def _found(english: str) -> tuple[str, dict[str, str]] | None:
    """The text that it is, and what fills its places."""
    for template, pattern in _FORMS:
        if match := pattern.fullmatch(english):
            return template, match.groupdict()
    return None


def _forms(templates: Iterable[str]) -> tuple[_Form, ...]:
    return tuple((template, re.compile(_pattern(template))) for template in templates)


def _pattern(template: str) -> str:
    parts = Formatter().parse(template)
    return "".join(
        re.escape(literal) + (f"(?P<{name}>.+?)" if name else "")
        for literal, name, _spec, _conversion in parts
    )


_FORMS: Final = _forms((*RULES, *KINDS, *CURVES))
