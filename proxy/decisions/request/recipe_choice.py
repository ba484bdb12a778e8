"""The recipe of a page: what the request names, then its site's rules, then the settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from winnow.document.values import (
    Comments,
    ImageSize,
    Purpose,
    Recipe,
    RenderMode,
    Treatment,
    Treatments,
    treated,
)
from winnow.proxy.decisions.policy import Policy, SiteRule
from winnow.proxy.decisions.request.preferences import Preferences, by_level
from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.stores.site_choice import SiteMode

_READABLE = frozenset(set(Purpose) - {Purpose.FORM, Purpose.APPLICATION, Purpose.ERROR})
"""The purposes that a choice for a site is for: its log-in page goes on working."""
IMAGE_SIZES: Final = {
    "as-sent": ImageSize.AS_SENT,
    "phone": ImageSize.PHONE,
    "saving": ImageSize.SAVING,
}
_BY_RULE: Final[Mapping[SiteMode | None, Treatment]] = {
    SiteMode.ALWAYS: Treatment.EXTRACT_ANYWAY,
    SiteMode.TIDY: Treatment.TIDY,
}


def recipe_for(
    preferences: Preferences,
    rule: SiteRule,
    policy: Policy,
    prefix: str = "",
    *,
    live: bool = False,
) -> Recipe:
    """The preferred recipe, with the site's extractor and level where the request named none."""
    preferences = as_ruled(preferences, rule, policy)
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
    if rule.comments:
        recipe = replace(recipe, comments=Comments(rule.comments))
    if rule.images:
        recipe = replace(recipe, images=IMAGE_SIZES[rule.images])
    if rule.render and recipe.render is policy.recipe.render:
        recipe = replace(recipe, render=RenderMode(rule.render))
    treatments = _treatments(preferences, recipe, rule, policy)
    return replace(
        recipe,
        knowledge=rule.knowledge,
        treatments=treatments,
        link_prefix=prefix,
        live=live and not recipe.format.is_data,
    )


def as_ruled(preferences: Preferences, rule: SiteRule, policy: Policy) -> Preferences:
    """The preferences, without what a fixed preset decides."""
    if not rule.fixed:
        return preferences
    own, asked = policy.recipe, preferences.recipe
    recipe = replace(
        asked, extractor=own.extractor, options=own.options, render=own.render, only=""
    )
    return replace(preferences, recipe=recipe, mode=RequestMode.AUTO, named_method=False)


def _treatments(
    preferences: Preferences, recipe: Recipe, rule: SiteRule, policy: Policy
) -> Treatments:
    """By purpose, unless the request is explicit; in a data format, unless it names a method."""
    explicit = preferences.mode is RequestMode.EXTRACT
    if preferences.named_method if recipe.format.is_data else explicit:
        return ()
    if preferences.mode is RequestMode.TIDY:
        return treated(Treatment.TIDY)
    treatments = dict(policy.treatments) | dict(rule.treatments)
    if rule.mode in _BY_RULE:
        treatments |= dict.fromkeys(_READABLE & treatments.keys(), _BY_RULE[rule.mode])
    return tuple(treatments.items())
