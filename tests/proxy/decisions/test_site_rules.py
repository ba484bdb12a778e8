"""The nearest rule holds for a host, and what the reader chose goes before it."""

from __future__ import annotations

import pytest

from tests.proxy.stores.memories import at
from winnow.config.errors import ConfigError
from winnow.config.settings import SiteSettings
from winnow.document.values import Purpose, Treatment
from winnow.proxy.decisions.policy import SiteRule
from winnow.proxy.decisions.site_rules import SiteRules
from winnow.proxy.stores.choices import EVERYBODY, Choices, purpose_key
from winnow.proxy.stores.site_choice import Choice, SiteMode

RULES = SiteRules.of_settings(
    SiteSettings(
        always=("news.example", "*.shop.example"),
        never=("app.example",),
        ignore_no_transform=("news.example",),
        extractors=("news.example=crunch:2",),
        levels=("news.example=5",),
    )
)
NOTHING = Choices()


@pytest.mark.parametrize(
    ("host", "rule"),
    [
        ("news.example", SiteRule(SiteMode.ALWAYS, "crunch:2", 5, transform_anyway=True)),
        ("www.news.example", SiteRule(SiteMode.ALWAYS, "crunch:2", 5, transform_anyway=True)),
        ("a.shop.example", SiteRule(SiteMode.ALWAYS)),
        ("app.example", SiteRule(SiteMode.NEVER)),
        ("other.example", SiteRule()),
    ],
)
def test_the_nearest_rule_holds(host: str, rule: SiteRule) -> None:
    assert RULES.of(at(host), "", NOTHING) == rule


def test_a_choice_goes_before_a_rule_point_by_point() -> None:
    remembered = NOTHING.with_choice(EVERYBODY, "news.example", Choice(SiteMode.NEVER, None, 7))
    found = RULES.of(at("news.example"), "", remembered)
    assert found == SiteRule(SiteMode.NEVER, None, 7, transform_anyway=True)


@pytest.mark.parametrize("pair", ["news.example", "=bte", "news.example=", ""])
def test_a_pair_says_how_it_is_written(pair: str) -> None:
    with pytest.raises(ConfigError, match=r"example\.com=VALUE"):
        SiteRules.of_settings(SiteSettings(extractors=(pair,)))


@pytest.mark.parametrize("level", ["0", "13", "high", "²"])
def test_a_level_says_its_range(level: str) -> None:
    with pytest.raises(ConfigError, match="from 1 to 12"):
        SiteRules.of_settings(SiteSettings(levels=(f"news.example={level}",)))


def test_a_rule_without_a_port_governs_all_ports_and_one_with_a_port_goes_before_it() -> None:
    never = ("host.example:8081", "[::1]:8081", "www.other.example:80")
    rules = SiteRules.of_settings(SiteSettings(always=("host.example",), never=never))
    for port, rule in ((80, SiteMode.ALWAYS), (8080, SiteMode.ALWAYS), (8081, SiteMode.NEVER)):
        assert rules.of(at("host.example", port), "", NOTHING).mode is rule
        assert rules.of(at("sub.host.example", port), "", NOTHING).mode is rule
    assert rules.of(at("::1", 8081), "", NOTHING).mode is SiteMode.NEVER
    assert rules.of(at("::1", 8080), "", NOTHING).mode is None
    assert rules.of(at("other.example", 80), "", NOTHING).mode is SiteMode.NEVER
    assert rules.of(at("other.example", 443), "", NOTHING).mode is None


def test_a_choice_of_another_owner_does_not_go_before_a_rule() -> None:
    remembered = NOTHING.with_choice("user:anna", "news.example", Choice(SiteMode.NEVER))
    assert RULES.of(at("news.example"), "user:ben", remembered).mode is SiteMode.ALWAYS
    assert RULES.of(at("news.example"), "user:anna", remembered).mode is SiteMode.NEVER


def test_what_was_chosen_by_purpose_is_the_owners_own_then_everybodys() -> None:
    chosen = NOTHING.with_choice(EVERYBODY, purpose_key("product"), Choice(SiteMode.NEVER))
    chosen = chosen.with_choice("user:anna", purpose_key("product"), Choice(SiteMode.ALWAYS))
    chosen = chosen.with_choice("user:anna", purpose_key("index"), Choice(SiteMode.TIDY))
    here = at("news.example")
    assert RULES.of(here, "user:anna", chosen).treatments == (
        (Purpose.PRODUCT, Treatment.EXTRACT),
        (Purpose.INDEX, Treatment.TIDY),
    )
    assert RULES.of(here, "user:ben", chosen).treatments == ((Purpose.PRODUCT, Treatment.ORIGINAL),)
    assert RULES.of(here, "user:ben", chosen).mode is SiteMode.ALWAYS
