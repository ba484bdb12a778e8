"""The features of this program, and what they bring to settings and the command line.

Light: the command line imports it at each start.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.metadata import entry_points
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Final

from winnow.config.errors import ConfigError
from winnow.config.feature_settings import FeatureSettings
from winnow.extractors import registry
from winnow.feature import (
    CommandGroup,
    Feature,
    FeatureCommand,
    FeatureError,
    OwnAddress,
    enabled,
    fitting,
    loaded,
)
from winnow.proxy.access.own_addresses import HEALTHZ, READ_PATH, SHEETS, OwnFace
from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.http.sentences import N_
from winnow.proxy.own.menus import in_settings
from winnow.proxy.own.operations import (
    ADDRESS,
    EXTRACTED,
    HTML,
    JSON,
    OPTIONS,
    PLAIN,
    SWITCH,
    PageOperation,
    QueryParameter,
)

if TYPE_CHECKING:
    from winnow.config.settings import Settings
    from winnow.feature import Drawing
    from winnow.proxy.cluster.sharing import Sharing

ENTRY_POINTS: Final = "winnow.features"
METRICS: Final = ("text/plain", "application/openmetrics-text")


def _open(path: str, summary: str, media_types: tuple[str, ...]) -> OwnAddress:
    """An address that asks nobody for a password."""
    operation = PageOperation(summary, media_types, is_ours=True)
    return OwnAddress(path, face=OwnFace.HARMLESS, operations=(operation,))


CORE: Final = Feature(
    name="core",
    optional=False,
    addresses=(
        *(_open(path, "The process answers", PLAIN) for path in ("/-/health", "/-/live", HEALTHZ)),
        _open("/-/ready", "A load balancer should send requests here", PLAIN),
        _open("/-/openapi.json", "This description", JSON),
        OwnAddress(SHEETS, below=True, face=OwnFace.HARMLESS),
        OwnAddress("/-/metrics", operations=(PageOperation("Metrics for Prometheus", METRICS),)),
        OwnAddress("/-/status", operations=(PageOperation("Status page", HTML),)),
        OwnAddress(
            READ_PATH,
            face=OwnFace.FETCH,
            operations=(
                PageOperation(
                    "Show a page through the gateway",
                    EXTRACTED,
                    (
                        ADDRESS,
                        *OPTIONS,
                        QueryParameter(
                            "mode",
                            "Extract, or original.",
                            {"type": "string", "enum": [*RequestMode]},
                        ),
                        QueryParameter("bar", "Whether the page carries Winnow's bar.", SWITCH),
                    ),
                ),
            ),
        ),
        OwnAddress("/-/settings/language", entries=(in_settings(N_("Language"), 90),)),
    ),
    pages="winnow.compose.own_pages.core_pages:pages",
    commands=tuple(
        FeatureCommand(name, summary, f"winnow.commands.{name}", group)
        for group, name, summary in (
            (CommandGroup.READ, "serve", "start the proxy"),
            (CommandGroup.READ, "extract", "print the articles of files or addresses"),
            (CommandGroup.READ, "extractors", "list the extraction methods"),
            (CommandGroup.MANAGE, "config", "show, check or describe the settings"),
            (CommandGroup.MANAGE, "health", "ask a running proxy whether it is alive or ready"),
            (CommandGroup.MANAGE, "reload", "have a running proxy read its settings again"),
            (CommandGroup.MANAGE, "restart", "replace a running proxy, cutting no connection"),
            (CommandGroup.MANAGE, "password", "make a line for access.users or access.api_keys"),
            (CommandGroup.MANAGE, "completion", "print a completion script for a shell"),
        )
    ),
)


_OPTIONAL: Final = ("crf", "layout", "memory", "vips")
"""Methods that no other part of the core asks."""


def _built_in() -> Iterator[Feature]:
    """The folders below ``features/``: one that was removed is a feature that is not there."""
    yield CORE
    yield loaded("winnow.evaluation:FEATURE")
    for each in registry.METHODS:
        folder = registry.folder_of(each)
        yield Feature(
            name=each,
            optional=each in _OPTIONAL,
            extractors=folder.EXTRACTORS,
            trainer=getattr(folder, "TRAINER", ""),
        )
    features = find_spec("winnow.features")
    for folder in iter_modules(features.submodule_search_locations if features else ()):
        yield loaded(f"winnow.features.{folder.name}:FEATURE")


_FOUND: Final = tuple(_built_in())
FEATURES: Final = enabled(fitting(each for each in _FOUND if not each.is_extra), ())
EXTRAS: Final = {each.name: each for each in _FOUND if each.is_extra}


def known(chosen: FeatureSettings) -> tuple[Feature, ...]:
    """Our own and those of packages, also those that are switched off. Raises ConfigError."""
    try:
        return fitting((*FEATURES, *map(installed, chosen.enabled)))
    except FeatureError as error:
        raise ConfigError(f"features: {error}") from error


def features_of(chosen: FeatureSettings) -> tuple[Feature, ...]:
    """Those of them that are not switched off. Raises ConfigError."""
    try:
        return enabled(known(chosen), chosen.disabled)
    except FeatureError as error:
        raise ConfigError(f"features: {error}") from error


def sections_of(chosen: FeatureSettings) -> tuple[type[Any], ...]:
    """The sections of settings that they bring. Raises ConfigError."""
    try:
        return tuple(loaded(each.settings) for each in known(chosen) if each.settings)
    except FeatureError as error:
        raise ConfigError(f"features: {error}") from error


def extractors_of(chosen: FeatureSettings) -> Mapping[str, str]:
    """Those of the features that are not switched off. Raises ConfigError."""
    return {k: v for each in features_of(chosen) for k, v in each.extractors.items()}


def sharing_of(settings: Settings) -> Sharing | None:
    """What shares with other instances, as these settings say."""
    made = (loaded(each.sharing) for each in features_of(settings.features) if each.sharing)
    return next((make(settings) for make in made), None)


def drawing_of(settings: Settings, *parts: object) -> Drawing | None:
    """What has pages drawn, made from the parts that Feature names, if a feature does."""
    made = (loaded(each.drawing) for each in features_of(settings.features) if each.drawing)
    return next((make(*parts) for make in made), None)


def installed(name: str) -> Feature:
    """One of EXTRAS, or of a package. Raises FeatureError where none is installed or had."""
    if name in EXTRAS:
        return EXTRAS[name]
    points = entry_points(group=ENTRY_POINTS)
    if name not in points.names:
        others = ", ".join(sorted(points.names)) or "none"
        raise FeatureError(f"No package brings {name}; installed: {others}.")
    try:
        found = points[name].load()
    except (ImportError, AttributeError) as error:
        raise FeatureError(f"{name} cannot be loaded: {error}") from error
    if not isinstance(found, Feature) or found.name != name:
        raise FeatureError(f"{name} leads to no Feature of that name.")
    return found
