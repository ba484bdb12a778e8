"""The view of a page, and what a click on its line leads back to."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.own.view_choices import RequestedViews

AUTO, EXTRACT, ORIGINAL = RequestMode.AUTO, RequestMode.EXTRACT, RequestMode.ORIGINAL
ANN, PAGE = "user:ann", "http://a.example/"


async def test_from_the_original_a_click_leads_back_to_what_was_shown() -> None:
    """A page that is tidied by its purpose is tidied again, not extracted."""
    for first, shown in ((AUTO, AUTO), (EXTRACT, EXTRACT)):
        views = RequestedViews()
        if first is not AUTO:
            await views.switch(ANN, PAGE, first)
        await views.switch(ANN, PAGE, ORIGINAL)
        await views.switch(ANN, PAGE, ORIGINAL)  # the bar in another tab
        assert views.of(ANN, PAGE) is ORIGINAL
        await views.switch(ANN, PAGE, EXTRACT)
        assert views.of(ANN, PAGE) is shown


async def test_an_original_that_was_chosen_elsewhere_leads_to_the_article() -> None:
    views = RequestedViews()
    await views.choose(ANN, PAGE, ORIGINAL)
    await views.switch(ANN, PAGE, EXTRACT)
    assert views.of(ANN, PAGE) is EXTRACT


async def test_a_view_is_its_owner_s_in_all_processes() -> None:
    here, there, sent = RequestedViews(), RequestedViews(), list[Sequence[str]]()

    async def notify(change: Sequence[str]) -> None:
        sent.append(change)

    here.notify = notify
    await here.switch(ANN, PAGE, ORIGINAL)
    there.on_notify(sent[0])
    assert there.of(ANN, PAGE) is ORIGINAL
    assert there.of("user:ben", PAGE) is AUTO
    assert there.of(ANN, PAGE + "b") is AUTO


async def test_where_a_site_is_left_alone_the_page_is_the_original_for_as_long_as_it_is() -> None:
    sites = {PAGE}
    views = RequestedViews(lambda owner, page: owner == ANN and page in sites)
    await views.leave_alone(ANN, PAGE)
    assert views.of(ANN, PAGE) is ORIGINAL
    sites.clear()  # undone in the settings, by the extension, in another process
    assert views.of(ANN, PAGE) is AUTO
    await views.switch(ANN, PAGE, EXTRACT)
    assert views.of(ANN, PAGE) is EXTRACT


async def test_an_original_that_was_asked_for_does_not_end_with_a_choice_for_its_site() -> None:
    views = RequestedViews(lambda _owner, _page: False)
    await views.choose(ANN, PAGE, ORIGINAL)
    assert views.of(ANN, PAGE) is ORIGINAL
