"""What pages are shown as, by the settings alone."""

from __future__ import annotations

from dataclasses import replace

from winnow.config.setting_list import values_in
from winnow.config.settings import Settings
from winnow.document.values import Comments, Format, PartLimits, Profile, Recipe, RenderMode
from winnow.proxy.own.handlers.devices import SmallOptions, images_within, room


def recipe_of(settings: Settings) -> Recipe:
    """What pages are shown as where nobody asks for anything else."""
    extraction, usual = settings.extraction, SmallOptions.usual(settings.gateway)
    return Recipe(
        extractor=extraction.extractor,
        format=Format(extraction.format),
        profile=Profile(extraction.profile),
        pages=extraction.join_pages,
        comments=Comments(extraction.comments),
        render=RenderMode(values_in(settings)["extraction"].get("render", RenderMode.NO)),
        part=PartLimits(
            room(usual),
            images_within(replace(usual, images=2), settings.gateway.page_budget // 1000),
        ),
    )
