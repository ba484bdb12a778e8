"""One form says all that is decided for a site, by whom, and what of it is in force."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.proxy.own.own_requests import asked
from tests.proxy.own.templates.support import attribute
from winnow.config.settings import SiteSettings
from winnow.features.site.filter_picture import crunch_ladder
from winnow.features.site.opened_site import RuleChanges
from winnow.features.site.page_options import MethodParameters
from winnow.features.site.rule_trial import RuleTried
from winnow.features.site.site_editor import SiteEditor
from winnow.jobs.job_types import InProcess
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.decisions.site_rules import SiteRules
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.router import OwnResponse
from winnow.proxy.stores.choice_store import NotifyingChoices
from winnow.proxy.stores.choices import EVERYBODY
from winnow.proxy.stores.site_choice import NO_CHOICE, Choice, PartRule, SiteMode

PATH, CRUNCH = "/-/settings/site", "/-/settings/crunch"
OWNER, SITE = "127.0.0.1", "news.example"
LEAD = PartRule(".lead", url="https://news.example/story", words="It begins")
TICKED = ("checkbox", "radio")


@dataclass
class Site:
    """The page of a site, for the administrator unless ``administers`` says otherwise."""

    administers: bool = True
    settings: SiteSettings = field(default_factory=SiteSettings)
    store: NotifyingChoices = field(default_factory=NotifyingChoices)
    tests: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        async def tried(_rule: object, url: str, _permit: object) -> RuleTried:
            return RuleTried(url, "One.\n\nTwo.", "One.")

        async def tested(_rule: object, test: Any, _permit: object) -> tuple[str, ...]:
            self.tests.append(test)
            return ("lacks it",)

        changes = RuleChanges(None, FormTokens(), lambda _: self.administers, lambda _: ())
        parameters = MethodParameters(("auto", "lqf"), InProcess())
        rules = SiteRules.of_settings(self.settings)
        self.page = SiteEditor(
            changes, self.store, rules, tried, tested, crunch_ladder(), parameters
        )

    async def opened(self, path: str = PATH, **query: str) -> LexborHTMLParser:
        found = await self.page(asked(path, query={"site": SITE, **query}))
        return LexborHTMLParser(found.body)

    async def sent(self, tree: LexborHTMLParser, *without: str, **more: str) -> OwnResponse:
        fields = {**fields_of(tree), "do": "save", **more}
        return await self.page(
            asked(PATH, form={name: value for name, value in fields.items() if name not in without})
        )

    def chosen(self, owner: str = OWNER) -> Choice:
        return self.store.now.of(owner).choices.get(SITE, NO_CHOICE)


def fields_of(tree: LexborHTMLParser) -> dict[str, str]:
    """What a browser sends of the form, untouched."""
    form = tree.css_first("form[method=post]")
    assert form is not None
    found = {}
    for node in form.css("input, textarea, option[selected]"):
        if node.attributes.get("type") not in TICKED or "checked" in node.attributes:
            named = node if node.tag != "option" else node.parent
            assert named is not None
            text = node.text() if node.tag == "textarea" else node.attributes.get("value") or ""
            found[attribute(named, "name")] = text.strip()
    return found


def ticked(tree: LexborHTMLParser) -> set[str]:
    boxes = tree.css('input[name^="filter."][checked]')
    return {attribute(box, "name").removeprefix("filter.") for box in boxes}


def words_of(tree: LexborHTMLParser) -> str:
    main = tree.css_first("main")
    assert main is not None
    return " ".join(main.text(separator=" ").split())


EVERYTHING = Choice(
    SiteMode.TIDY, "lqf:0.3", 4, "keep", "phone", "always", 3, True, (LEAD, PartRule(".ad", True))
)


async def test_what_is_sent_untouched_changes_nothing() -> None:
    site = Site()
    await site.store.choose(OWNER, SITE, EVERYTHING)
    done = await site.sent(await site.opened())
    assert dict(done.fields)["Location"] == f"{PATH}?site={SITE}&for=&saved=yes"
    assert site.chosen() == EVERYTHING
    assert "Saved. The change is in force." in words_of(await site.opened(saved="yes"))


async def test_each_field_is_stored_and_undone() -> None:
    site = Site()
    await site.sent(
        await site.opened(),
        **{"mode": "always", "extractor": "lqf", "lqf.threshold": "0.3", "keep": ".a\n.b"},
        **{"drop": ".c", "comments": "drop", "images": "saving", "render": "no", "pages": "2"},
    )
    assert site.chosen() == Choice(
        SiteMode.ALWAYS,
        "lqf:threshold=0.3",
        comments="drop",
        images="saving",
        render="no",
        pages=2,
        parts=(PartRule(".a"), PartRule(".b"), PartRule(".c", drops=True)),
    )
    await site.sent(await site.opened(), do="remove")
    assert not site.store.now.owners


async def test_who_administers_decides_for_everybody_and_nobody_else() -> None:
    site = Site()
    await site.sent(await site.opened(), mode="never")
    assert (site.chosen(), site.chosen(EVERYBODY)) == (Choice(SiteMode.NEVER), NO_CHOICE)
    await site.sent(await site.opened(**{"for": "everybody"}), mode="always")
    assert site.chosen(EVERYBODY) == Choice(SiteMode.ALWAYS)
    tree = await site.opened(**{"for": "everybody"})
    site.administers = False
    for refused in (site.opened(**{"for": "everybody"}), site.sent(tree, mode="tidy")):
        with pytest.raises(ClientFaultError, match="administrator"):
            await refused
    assert site.chosen(EVERYBODY) == Choice(SiteMode.ALWAYS)
    assert not (await site.opened()).css('main p a[href*="for=everybody"]')


async def test_the_page_says_who_says_what_and_what_is_in_force() -> None:
    site = Site(settings=SiteSettings(always=("example",), extractors=("news.example=bte",)))
    await site.store.choose(OWNER, SITE, Choice(level=3, parts=(LEAD,)))
    await site.store.choose(EVERYBODY, SITE, Choice(SiteMode.NEVER))
    tree = await site.opened()
    assert [" ".join(node.text().split()) for node in tree.css("ol li")] == [
        "news.example: Level: 3 · Kept: “It begins …”",
        "news.example (everybody): Never change pages",
        "Site rules, news.example: Method: bte",
    ]
    said = words_of(tree)
    assert "In force: Never change pages · Level: 3" in said
    assert "Pages of this site are never changed, which goes before all else" in said
    await site.store.choose(EVERYBODY, SITE, NO_CHOICE)
    assert "are never changed" not in words_of(await site.opened())


async def test_somebody_else_s_change_meanwhile_is_not_written_over() -> None:
    site = Site()
    tree = await site.opened()
    await site.store.choose(OWNER, SITE, Choice(SiteMode.NEVER))
    with pytest.raises(ClientFaultError, match="meanwhile"):
        await site.sent(tree, mode="always")
    with pytest.raises(ClientFaultError, match="expired"):
        await site.sent(await site.opened(), token="made up")
    with pytest.raises(ClientFaultError, match="meanwhile"):
        await site.sent(await site.opened(), site="other.example")
    assert site.chosen() == Choice(SiteMode.NEVER)


async def test_what_does_not_hold_is_said_and_not_saved() -> None:
    site = Site()
    for wrong in ({"level": "40"}, {"mode": "sometimes"}, {"images": "x"}, {"pages": "0"}):
        answer = await site.sent(await site.opened(), **wrong)
        assert answer.status == 422
        assert LexborHTMLParser(answer.body).css("[role=alert]")
    assert not site.store.now.owners
    for name in ("a b", "http://"):
        with pytest.raises(ClientFaultError):
            await site.page(asked(PATH, query={"site": name}))


async def test_a_page_s_address_leads_to_its_site_and_nothing_to_a_question() -> None:
    site = Site()
    found = await site.page(asked(PATH, query={"url": "http://www.news.example/story"}))
    tree = LexborHTMLParser(found.body)
    assert fields_of(tree)["site"] == SITE
    assert fields_of(tree)["address"] == "http://www.news.example/story"
    bare = LexborHTMLParser((await site.page(asked(PATH))).body)
    assert bare.css('form[method=get] input[name="site"]')
    assert not bare.css("form[method=post]")


async def test_it_is_tried_on_a_page_and_changes_nothing() -> None:
    site = Site()
    tree = await site.opened()
    answer = await site.sent(tree, do="try", address="http://news.example/story", drop=".x")
    assert LexborHTMLParser(answer.body).css("#tried del")
    assert (await site.sent(tree, do="try", address="")).status == 422
    assert not site.store.now.owners


async def test_the_tests_of_kept_parts_are_run() -> None:
    site = Site()
    await site.store.choose(OWNER, SITE, replace(EVERYTHING, extractor=None))
    tree = await site.opened()
    assert "must contain “It begins”" in words_of(tree)
    said = words_of(LexborHTMLParser((await site.sent(tree, do="tests")).body))
    assert "Failed: lacks it" in said
    assert [test.has for test in site.tests] == [("It begins",)]


async def test_a_level_is_shown_with_its_filters_and_as_a_picture() -> None:
    site, ladder = Site(), crunch_ladder()
    tree = await site.opened(CRUNCH, level="5")
    assert ticked(tree) == ladder.at(5).filters
    assert len(tree.css("svg .works")) == len(ladder.filters)
    assert tree.css_matches('svg[aria-label^="Filters by level: level 5 uses"]')
    other = await site.sent(tree, do="level", level="2")
    assert ticked(LexborHTMLParser(other.body)) == ladder.at(2).filters


async def test_filters_are_stored_and_shown_again() -> None:
    site = Site()
    tree = await site.opened(CRUNCH, level="5")
    await site.sent(tree, "filter.ads", filters="yes", ratio="0.4", **{"filter.forms": "on"})
    assert site.chosen() == Choice(None, "crunch:modern=true,take=forms,keep=ads,ratio=0.4", 5)
    again = await site.opened(CRUNCH)
    assert ticked(again) == (crunch_ladder().at(5).filters | {"forms"}) - {"ads"}
    assert again.css_matches('input[name=ratio][value="0.4"]')
    await site.sent(again)
    assert site.chosen() == Choice(None, "crunch:modern=true,take=forms,keep=ads,ratio=0.4", 5)
    await site.sent(again, "filters", mode="always", extractor="", level="")
    assert site.chosen() == Choice(SiteMode.ALWAYS)
