"""What is decided for a site, in words, point by point. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from markupsafe import Markup, escape

from winnow.config.site_rule_file import WORDS, RuleTest
from winnow.jobs.public_names import public_name
from winnow.proxy.own.translation import N_, _, filled
from winnow.proxy.stores.site_choice import Choice, PartRule

MODE_NAMES: Final = {
    "auto": N_("By the kind of page"),
    "always": N_("Always extract articles"),
    "tidy": N_("Tidy pages"),
    "never": N_("Never change pages"),
}


def points_of(choice: Choice) -> tuple[Markup, ...]:
    """The points of a choice or rule."""
    points = (
        ("{value}", _(MODE_NAMES[choice.mode]) if choice.mode else ""),
        (_("Method: {value}"), _code(public_name(choice.extractor or ""))),
        (_("Level: {value}"), choice.level),
        *(("{value}", _word(choice, name)) for name in WORDS),
        (_("Maximum pages joined: {value}"), choice.pages),
        ("{value}", _("Ignore no-transform.") if choice.transform_anyway else ""),
    )
    said = tuple(filled(form, value=value) for form, value in points if value)
    return (*said, *map(_part, choice.parts))


def _part(part: PartRule) -> Markup:
    """The words with which a part began when it was chosen; its selector where there are none."""
    named = _code(part.selector)
    if part.words:
        named = escape(_("“{words} …”")).format(words=Markup("<bdi>{}</bdi>").format(part.words))
    return filled(_("Dropped: {part}") if part.drops else _("Kept: {part}"), part=named)


def _word(choice: Choice, name: str) -> Markup:
    """A field of one word, as the file has it."""
    word = getattr(choice, name)
    return _code(f"{name}: {word}" if word else "")


def _code(text: str) -> Markup:
    return Markup("<code>{}</code>").format(text) if text else Markup("")


def test_words(test: RuleTest) -> Iterator[str]:
    """What a test asks of the article."""
    if test.file:
        yield _("as saved in {file}").format(file=test.file.name)
    yield from (_("must contain “{words}”").format(words=words) for words in test.has)
    yield from (_("must not contain “{words}”").format(words=words) for words in test.lacks)
