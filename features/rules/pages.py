"""The pages of this feature, by path."""

from __future__ import annotations

from collections.abc import Mapping

from winnow.config.site_rule_file import load_rules
from winnow.feature import Context
from winnow.features.rules.rule_files import EXPORT, IMPORT, RuleFiles
from winnow.features.rules.rules import RulesPage
from winnow.features.rules.saved_items import SavedItems
from winnow.features.site.pages import rule_changes, rule_trial
from winnow.proxy.own.handlers.html_errors import people_pages
from winnow.proxy.own.router import OwnPage, moved_to
from winnow.proxy.own.templates.navigation import OLD_SAVED, RULES, SAVED


def pages(context: Context) -> Mapping[str, OwnPage]:
    tokens, file = context.tokens, context.settings.sites.rules
    rules = load_rules(file) if file else ()
    changes, trial = context.once(rule_changes), context.once(rule_trial)
    files = RuleFiles(changes)
    listed: dict[str, OwnPage] = {
        RULES: RulesPage(file, rules, trial, context.policy, tokens, changes.may),
        EXPORT: files.exported,
        IMPORT: files.imported,
        SAVED: SavedItems(context.library, tokens),
        OLD_SAVED: moved_to(SAVED),
    }
    return people_pages(listed)
