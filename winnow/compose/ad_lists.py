"""The lists of advertisements that the settings name, fetched and refreshed."""

from __future__ import annotations

from winnow.config.settings import Settings
from winnow.data_folder import data_folder
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http.headers import Field
from winnow.proxy.http.messages import Sender, anywhere
from winnow.proxy.upstream.ad_list_updates import AdLists, Matcher
from winnow.proxy.upstream.fetcher import FetchedResponse, Fetcher

ANY_TEXT = "text/plain, */*;q=0.5"


def ads_of(settings: Settings, sender: Sender) -> AdLists | None:
    """The lists that the settings name, None for none; their addresses may be private."""
    if not settings.ads.lists:
        return None
    fetcher = Fetcher(sender, Policy, settings.gateway.max_redirects)

    async def get(url: str, conditions: tuple[Field, ...]) -> FetchedResponse:
        return await fetcher.get(url, anywhere, ANY_TEXT, conditions)

    folder = data_folder(settings) / "ads"
    compiled = matcher_of if settings.ads.block else None
    return AdLists(settings.ads.lists, folder, settings.ads.refresh, get, faults_of, compiled)


def matcher_of(text: str) -> Matcher:
    """The requests that a list names."""
    from winnow.extractors.crunch.ad_matching import ad_list  # noqa: PLC0415 - loaded where there are lists

    return ad_list(text).names


def faults_of(text: str) -> list[str]:
    """The errors of a list's lines."""
    from winnow.extractors.crunch.ad_list_parser import parse  # noqa: PLC0415 - loaded where there are lists

    return [f"line {bad.number} ({bad.text}): {bad.why}" for bad in parse(text).bad]
