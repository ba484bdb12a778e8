"""The form of one site: what is decided, what of it is in force, what came of a trial. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from winnow.config.site_rule_file import MODES, WORDS, RuleTest
from winnow.features.site.crunch_options import (
    CrunchLadder,
    CrunchSettings,
    is_filtered,
    read_form,
    read_specification,
)
from winnow.features.site.filter_picture import FILTERS, PRESET_NAMES, picture_of
from winnow.features.site.parameter_fields import parameter_fields
from winnow.features.site.rule_trial import TRIAL_STYLE, RuleTried, trial_part
from winnow.features.site.site_words import MODE_NAMES, points_of, test_words
from winnow.jobs.results import MethodParameter
from winnow.proxy.http.headers import number
from winnow.proxy.own.page_templates import own_file, page_template
from winnow.proxy.own.templates.base_page import STYLE, HtmlPage, page_of
from winnow.proxy.own.templates.elements import USUAL
from winnow.proxy.own.templates.settings.styles import FIELDS_STYLE
from winnow.proxy.own.translation import N_, _
from winnow.proxy.stores.choices import ALL_SITES, EVERYBODY, FILE, Said
from winnow.proxy.stores.site_choice import NO_CHOICE, Choice, SiteMode

_STYLE: Final = STYLE + FIELDS_STYLE + TRIAL_STYLE + own_file(__package__, "crunch.css")
_TEMPLATE: Final = page_template(__package__, "site.html")
_DETAILS: Final = ("keep", "drop", "extractor", "level", "filters", "pages", "ignore_no_transform")
_EXAMPLES: Final = ("p", "#id", ".class", "[attribute=value]", "#main p", "ul > li")
WORD_LABELS: Final = {
    "comments": N_("Readers’ comments"),
    "images": N_("Pictures"),
    "render": N_("Run the page’s scripts"),
}
WORD_NAMES: Final = {
    "fold": N_("Folded behind the text"),
    "keep": N_("In the text"),
    "drop": N_("Left out"),
    "as-sent": N_("As the site sends them"),
    "phone": N_("Smaller, for phones"),
    "saving": N_("Smallest, to save data"),
    "no": N_("No"),
    "when-empty": N_("Where there is no text without"),
    "always": N_("Always"),
}


@dataclass(frozen=True)
class SiteForm:
    """``place``: as in OpenedSite; ``fields``: what the form shows; ``proofs``: its hidden fields;
    ``table``: what is saved, ``tests``: those of its parts. ``said``: what all say of the site,
    what goes first first; ``rule``: what is in force of it."""

    place: str
    table: Mapping[str, Any]
    fields: Mapping[str, str]
    proofs: Mapping[str, str]
    methods: Sequence[str] = ()
    tests: Sequence[RuleTest] = ()
    parameters: Sequence[MethodParameter] = ()
    filters: CrunchSettings | None = None
    administers: bool = False
    may_write: bool = False
    said: Sequence[Said] = ()
    rule: Choice = NO_CHOICE
    is_saved: bool = False
    faults: Sequence[str] = ()
    untried: str = ""
    """Why the page could not be fetched."""
    tried: RuleTried | None = None
    outcomes: Mapping[RuleTest, Sequence[str]] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def is_rule(self) -> bool:
        """Whether it is of the operator's file."""
        return self.place == FILE

    @property
    def rule_tests(self) -> Sequence[Mapping[str, Any]]:
        """Those of the saved rule."""
        found: Sequence[Mapping[str, Any]] = self.table.get("test", ())
        return found

    @property
    def site(self) -> str:
        """As it is saved, else as it was asked for."""
        return str(self.table.get("site", ""))

    @property
    def is_idle(self) -> bool:
        """Whether something was decided that *never* keeps from happening."""
        others = (self.rule.extractor, self.rule.level, self.rule.parts, self.rule.comments)
        return self.rule.mode is SiteMode.NEVER and any(others)

    @property
    def is_detailed(self) -> bool:
        """Whether more is decided than most readers do, or a rule is."""
        return self.is_rule or any(map(self.value, _DETAILS))

    def value(self, name: str) -> str:
        """What the form shows in a field."""
        return self.fields.get(name, "")

    def rows(self, name: str) -> int:
        """How high a field of several lines is."""
        return min(8, max(2, self.value(name).count("\n") + 2))


def filters_of(fields: Mapping[str, str], ladder: CrunchLadder) -> CrunchSettings:
    """Crunch's filters as a form shows them: of its level, of its boxes, or of its method.

    Raises ClientFaultError for a level that is none.
    """
    level = number(fields.get("level") or str(USUAL)) or 0
    if fields.get("filters") == "yes":
        return read_form({**fields, "level": str(level)}, ladder)
    if fields.get("filters") != "level" and is_filtered(fields.get("extractor", "")):
        return read_specification(fields["extractor"], level, ladder)
    return CrunchSettings.at(level if level in range(1, 13) else USUAL, ladder)


def site_page(form: SiteForm, ladder: CrunchLadder) -> HtmlPage:
    """The form, below it what was tried."""
    assert form.filters is not None
    words = {
        name: {"": _("Default"), **{word: _(WORD_NAMES[word]) for word in WORDS[name]}}
        for name in WORDS
    }
    return page_of(
        _TEMPLATE,
        style=_STYLE,
        form_=form,
        file=FILE,
        all_sites=ALL_SITES,
        everybody=EVERYBODY,
        shown=form.filters,
        ladder=ladder,
        names=FILTERS,
        presets=PRESET_NAMES,
        picture=picture_of(ladder, form.filters.level),
        modes={mode: _(MODE_NAMES[mode]) for mode in MODES},
        words=words,
        labels={name: _(text) for name, text in WORD_LABELS.items()},
        examples=_EXAMPLES,
        methods=form.methods,
        trial_part=trial_part,
        points_of=points_of,
        test_words=test_words,
        parameter_fields=parameter_fields,
    )
