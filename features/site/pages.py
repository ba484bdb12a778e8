"""The pages of this feature, by path."""

from __future__ import annotations

from collections.abc import Mapping

from winnow.feature import Context
from winnow.features.site.controller import SettingsController
from winnow.features.site.filter_picture import crunch_ladder
from winnow.features.site.opened_site import RuleChanges
from winnow.features.site.page_options import OPTIONS_PATH, MethodParameters, page_options
from winnow.features.site.site_editor import SiteEditor
from winnow.features.site.trial import RuleTrial, rule_faults
from winnow.proxy.decisions.site_rules import SiteRules
from winnow.proxy.own.handlers.html_errors import people_pages
from winnow.proxy.own.router import OwnPage
from winnow.proxy.own.settings_editor import SettingsEditor
from winnow.proxy.own.templates.navigation import CRUNCH, RULE_EDIT, SITE
from winnow.proxy.own.view_choices import RequestedViews
from winnow.proxy.tls.lazy_authority import LazyAuthority


def pages(context: Context) -> Mapping[str, OwnPage]:
    controller = SettingsController(
        context.choices,
        context.of(LazyAuthority),
        frozenset(context.extractors),
        context.tokens,
        context.of(RequestedViews),
        administers=context.administers,
        treatments=context.policy().treatments,
    )
    trial = context.once(rule_trial)
    editor = SiteEditor(
        context.once(rule_changes),
        context.choices,
        SiteRules.of_settings(context.settings.sites),
        trial.tried,
        trial,
        crunch_ladder(),
        MethodParameters(context.extractors, context.workers),
    )
    listed: dict[str, OwnPage] = dict.fromkeys((SITE, CRUNCH, RULE_EDIT), editor)
    return {**controller.pages(), **people_pages({**listed, OPTIONS_PATH: page_options})}


def rule_trial(context: Context) -> RuleTrial:
    """What tries rules on pages."""
    return RuleTrial(context.fetcher(), context.unlearning, context.settings.extraction.extractor)


def rule_changes(context: Context) -> RuleChanges:
    """Who may change the site rules, and where."""
    editor = context.find(SettingsEditor)
    return RuleChanges(editor, context.tokens, context.administers, rule_faults)
