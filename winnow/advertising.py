"""Joins the lists of advertisements to what fetches and what reads them; part of composing."""

from __future__ import annotations

from config.settings import Settings
from proxy.adlists import AdLists
from proxy.fetching import Fetched, Fetcher
from proxy.headers import Field
from proxy.upstream.client import Sender
from proxy.upstream.connect import anywhere
from proxy.values import Policy
from winnow.steering import data_folder

ANY_TEXT = "text/plain, */*;q=0.5"


def ads_of(settings: Settings, sender: Sender) -> AdLists:
    """The lists that the settings name; their owner chose the addresses, so any may be reached."""
    fetcher = Fetcher(sender, Policy, settings.gateway.max_redirects)

    async def get(url: str, conditions: tuple[Field, ...]) -> Fetched:
        return await fetcher.get(url, anywhere, ANY_TEXT, conditions)

    folder = data_folder(settings) / "ads"
    return AdLists(settings.ads.lists, folder, settings.ads.refresh, get, faults_of)


def faults_of(text: str) -> list[str]:
    """What cannot be used of a list, a sentence a line."""
    from extractors.crunch.adlists import parse  # noqa: PLC0415 - loaded where there are lists

    return [f"line {bad.number} ({bad.text}): {bad.why}" for bad in parse(text).bad]
