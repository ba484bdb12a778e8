"""``winnow config show|check|schema``: the settings in force, their faults, their schema."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Final

from winnow.command_errors import one_of
from winnow.command_settings import add_config_flag, load_settings, source_of
from winnow.config.descriptions import schema, show
from winnow.config.sources.file_permissions import exposed_secrets
from winnow.feature_list import sections_of


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action", type=one_of("action", _ACTIONS), choices=[*_ACTIONS], metavar="|".join(_ACTIONS)
    )
    add_config_flag(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    sys.stdout.write(_ACTIONS[arguments.action](arguments.config))
    return 0


def _show(file: Path | None) -> str:
    return show(load_settings(file, {}))


def _check(file: Path | None) -> str:
    found = source_of(file).file()
    loaded = load_settings(file, {})
    settings = loaded.settings
    import_module("winnow.compose.process.settings_check").check(
        settings
    )  # heavy, and for this alone
    report = f"The settings are valid ({found or 'no settings file: defaults and environment'}).\n"
    report += "".join(f"{fault}\n" for fault in exposed_secrets(loaded))
    if settings.sites.rules:  # imports the extractors only where there are rules to test
        report += import_module("winnow.site_rule_tests").check(settings)
    return report


def _schema(file: Path | None) -> str:
    shown = schema(sections_of(load_settings(file, {}).settings.features))
    return json.dumps(shown, ensure_ascii=False, indent=2) + "\n"


_ACTIONS: Final[Mapping[str, Callable[[Path | None], str]]] = {
    "show": _show,
    "check": _check,
    "schema": _schema,
}
