"""The recipe of a page: what the request names, then its site's rules, then the settings."""

from __future__ import annotations

from dataclasses import replace

from winnow.document.values import BodyKind, Purpose, Recipe, Treatment, Treatments, treated
from winnow.proxy.decisions.policy import Policy, SiteMode, SiteRule
from winnow.proxy.decisions.preferences import Preferences, RequestMode, by_level

_READABLE = frozenset(set(Purpose) - {Purpose.FORM, Purpose.APPLICATION, Purpose.ERROR})
"""The purposes that a choice for a site is for: its log-in page goes on working."""
_BY_RULE = {SiteMode.ALWAYS: Treatment.EXTRACT_ANYWAY, SiteMode.TIDY: Treatment.TIDY}


def recipe_for(
    preferences: Preferences,
    rule: SiteRule,
    policy: Policy,
    prefix: str = "",
    *,
    live: bool = False,
) -> Recipe:
    """The preferred recipe, with the site's extractor and level where the request named none."""
    recipe = preferences.recipe
    unnamed = recipe.extractor == policy.recipe.extractor
    if rule.extractor and unnamed:
        recipe = replace(recipe, extractor=rule.extractor)
    if rule.level and recipe.options.level == policy.recipe.options.level:
        recipe = replace(recipe, options=replace(recipe.options, level=rule.level))
        if unnamed and (not rule.extractor or recipe.ladder_level):
            recipe = by_level(recipe, named_format=preferences.named_format)
    if rule.pages:
        recipe = replace(recipe, pages=rule.pages)
    if rule.keep or rule.drop:
        recipe = replace(recipe, keep=rule.keep, drop=rule.drop)
    treatments = _treatments(preferences.mode, recipe, rule, policy)
    return replace(
        recipe,
        knowledge=rule.knowledge,
        treatments=treatments,
        link_prefix=prefix,
        live=live,
    )


def _treatments(mode: RequestMode, recipe: Recipe, rule: SiteRule, policy: Policy) -> Treatments:
    """By purpose, unless the request is explicit; a format for programs is."""
    if recipe.format.kind is not BodyKind.PAGE or mode is RequestMode.EXTRACT:
        return ()
    if mode is RequestMode.TIDY:
        return treated(Treatment.TIDY)
    treatments = dict(policy.treatments) | dict(rule.treatments)
    if rule.rule in _BY_RULE:
        treatments |= dict.fromkeys(_READABLE & treatments.keys(), _BY_RULE[rule.rule])
    return tuple(treatments.items())
