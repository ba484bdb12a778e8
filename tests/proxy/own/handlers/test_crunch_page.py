"""The page of Crunch's filters: what it shows, stores for a site, and forgets."""

from __future__ import annotations

from dataclasses import replace

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.proxy.own.own_requests import asked
from winnow.compose.crunch_ladder import crunch_ladder
from winnow.proxy.access.tokens import FormTokens
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.handlers.crunch_page import CrunchPage
from winnow.proxy.own.router import OwnResponse
from winnow.proxy.stores.choice_store import NotifyingChoices
from winnow.proxy.stores.choices import Choice, SiteChoiceMode

PATH = "/-/settings/crunch"
OWNER = "127.0.0.1"


@pytest.fixture
def page() -> CrunchPage:
    return CrunchPage(NotifyingChoices(), FormTokens(), crunch_ladder())


async def opened(page: CrunchPage, **query: str) -> LexborHTMLParser:
    found: OwnResponse = await page(asked(PATH, query=query))
    assert found.status == 200
    return LexborHTMLParser(found.body)


def sent(tree: LexborHTMLParser, *without: str, **more: str) -> dict[str, str]:
    """What a browser sends of the form, without some boxes."""
    form = tree.css_first('form[method="post"]')
    assert form is not None
    fields = {}
    for one in form.css("input, option"):
        kind, ticked = one.attributes.get("type"), "checked" in one.attributes
        if one.tag == "option":
            if "selected" in one.attributes:
                fields["alts"] = one.attributes["value"] or ""
        elif kind != "checkbox" or ticked:
            fields[one.attributes["name"] or ""] = one.attributes.get("value") or "on"
    return {key: value for key, value in {**fields, **more}.items() if key not in without}


def ticked(tree: LexborHTMLParser) -> set[str]:
    boxes = tree.css('input[name^="filter."][checked]')
    return {(box.attributes["name"] or "").removeprefix("filter.") for box in boxes}


def stored(page: CrunchPage) -> Choice | None:
    return page.store.now.of(OWNER).choices.get("example.com")


async def test_a_level_is_shown_with_its_filters_and_as_a_picture(page: CrunchPage) -> None:
    tree = await opened(page, level="5")
    assert ticked(tree) == crunch_ladder().at(5).filters
    assert len(tree.css("svg .works")) == len(page.ladder.filters)
    assert tree.css_matches('svg[aria-label^="Filters by level: level 5 uses"]')


async def test_filters_are_stored_for_a_site_and_shown_again(page: CrunchPage) -> None:
    tree = await opened(page, level="5")
    form = sent(tree, "filter.ads", site="www.example.com", ratio="0.4", **{"filter.forms": "on"})
    response = await page(asked(PATH, form=form))
    assert dict(response.fields)["Location"] == f"{PATH}?site=example.com"
    assert stored(page) == Choice(None, "crunch:modern=true,take=forms,keep=ads,ratio=0.4", 5)
    again = await opened(page, site="example.com")
    assert ticked(again) == (crunch_ladder().at(5).filters | {"forms"}) - {"ads"}
    assert again.css_matches('input[name=ratio][value="0.4"]')


async def test_forgetting_leaves_the_rest_of_the_choice(page: CrunchPage) -> None:
    always = Choice(SiteChoiceMode.ALWAYS, "crunch:modern=true", 4)
    await page.store.choose(OWNER, "example.com", always)
    tree = await opened(page, site="example.com")
    await page(asked(PATH, form=sent(tree, forget="1")))
    assert stored(page) == replace(always, extractor=None, level=None)


async def test_a_form_that_another_page_made_up_is_refused(page: CrunchPage) -> None:
    form = sent(await opened(page), site="example.com", token="made up")
    with pytest.raises(ClientFaultError, match="expired"):
        await page(asked(PATH, form=form))
    assert stored(page) is None


async def test_what_is_no_level_or_site_is_refused(page: CrunchPage) -> None:
    with pytest.raises(ClientFaultError, match="no level"):
        await opened(page, level="13")
    form = sent(await opened(page), site="not a site")
    with pytest.raises(ClientFaultError):
        await page(asked(PATH, form=form))
