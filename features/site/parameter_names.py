"""What the parameters of methods, and their values, are called on own pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from markupsafe import Markup, escape

from winnow.jobs.results import MethodParameter
from winnow.proxy.own.translation import N_, _

NAMES: Final[Mapping[str, str]] = {
    "article": N_("Articles only"),
    "chain": N_("Neighbouring blocks count"),
    "crunch.level": N_("Level, 1 removes most"),
    "modern": N_("Treat sections as table cells"),
    "check": N_("Undo a filter that would remove nearly everything"),
    "drastic": N_("Share of the text that no filter may remove"),
    "negligible": N_("Share of the text that a filter must remove"),
    "ratio": N_("Most links per word in a list"),
    "letters": N_("Letters that count as a word"),
    "preset": N_("Kind of site"),
    "alts": N_("Pictures’ descriptions in place of what is removed"),
    "lists": N_("What a list of links loses"),
    "only_links": N_("Lists of links lose links and text alone"),
    "substance": N_("Shortest text of a table"),
    "retain": N_("List removed links at the end"),
    "font": N_("Size of text, per cent"),
    "fixed": N_("Size of what has a fixed size, per cent"),
    "dsc.window": N_("Words in a window"),
    "patience": N_("Windows in a row that begin or end the text"),
    "nested": N_("Count the text of blocks within a block"),
    "match": N_("Share of a pattern that a page must have"),
    "difference": N_("Least difference from the site’s other pages"),
    "main": N_("Least score of main text"),
    "sub": N_("Headings that vary"),
    "threshold": N_("Most text in links, as a share"),
    "algorithm": N_("How similar elements are found"),
    "memory.k": N_("Distances at which neighbours vote"),
    "w": N_("Weights of features"),
    "k": N_("How many runs of text are kept"),
    "hr": N_("End a run of text at a horizontal line"),
    "bias": N_("Added to each word’s score"),
    "unigram": N_("Single words instead of three in a row"),
    "mrut": N_("The tag around a word counts"),
    "shapes": N_("Kinds of words count where the words are unknown"),
    "clean": N_("Remove tables and sections with links"),
    "paper": N_("As published"),
    "backoff": N_("Three words in a row where they are known"),
    "known": N_("Least share of known words"),
    "mss-site.window": N_("Words beside each border that are compared"),
    "reach": N_("Words from a border that count more"),
    "boost": N_("How much more these count"),
    "share": N_("Share of the pages that are learned from"),
    "rounds": N_("Most rounds of learning"),
    "agreement": N_("Least agreement with what was learned before"),
    "pages": N_("Most pages remembered of a site"),
    "least": N_("Fewest pages of a site to learn from"),
    "tag": N_("Score of a tag"),
    "granularity": N_("How finely the page is divided"),
    "score": N_("How the best block is found"),
}
"""By name, or by method and name where methods mean different things by it."""
VALUES: Final[Mapping[str, str]] = {
    "": N_("As the level says"),
    "auto": N_("By the page’s words"),
    "news": N_("News"),
    "shopping": N_("Shopping"),
    "government": N_("Government"),
    "education": N_("Education"),
    "text-heavy": N_("Much text"),
    "link-heavy": N_("Many links"),
    "none": N_("None"),
    "text": N_("Text"),
    "images": N_("Images"),
    "links": N_("Links"),
    "both": N_("Both"),
    "true": N_("Yes"),
    "false": N_("No"),
    "sub.none": N_("None"),
    "sub.inside": N_("Within the main text"),
    "sub.all": N_("All"),
    "algorithm.ib1": N_("By the nearest neighbours"),
    "algorithm.igtree": N_("By a decision tree"),
    "w.nw": N_("No weights"),
    "w.gr": N_("Gain ratio"),
    "w.ig": N_("Information gain"),
    "w.x2": N_("Chi-square"),
    "w.sv": N_("Shared variance"),
    "score.words": N_("Many words, few tags"),
    "score.auto": N_("By the method auto"),
}
"""By value, or by parameter and value."""


def name_of(parameter: MethodParameter) -> Markup:
    """A label; the parameter's own name, as a specification has it, for methods of others."""
    full = f"{parameter.method}.{parameter.name}"
    english = NAMES.get(full) or NAMES.get(parameter.name)
    return escape(_(english)) if english else Markup("<code>{}</code>").format(parameter.name)


def value_of(parameter: MethodParameter, value: str) -> str:
    """What a value of a list is called; the value itself for methods of others."""
    english = VALUES.get(f"{parameter.name}.{value}") or VALUES.get(value)
    return _(english) if english else value
