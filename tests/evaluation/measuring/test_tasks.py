"""What the measure "tasks" counts as harm and as idleness."""

from __future__ import annotations

import pytest

from winnow.document.document import Document
from winnow.document.metadata.fact_values import shows_amount
from winnow.evaluation.gold.packages import PackageEntry
from winnow.evaluation.measuring.tasks import (
    TaskOutcome,
    TaskRow,
    shown_price,
    task_row,
    task_table,
)

LOG_IN = b"<form><input name=u><input type='password' name=p></form>"
OFFER = (
    b'<script type="application/ld+json">{"@type":"Product","offers":{"@type":"Offer",'
    b'"price":"1234.50"}}</script><h1>Kettle</h1><p>EUR 1.234,50</p>'
)
ARTICLE = b'<script type="application/ld+json">{"@type":"NewsArticle"}</script><p>It rained.</p>'


def row(body: bytes, action: str, result: bytes, **meta: object) -> TaskRow:
    entry = PackageEntry("page", body, "", meta)
    return task_row("p", entry, lambda _entry: TaskOutcome(action, result))


def test_a_page_that_is_left_alone_is_not_harmed() -> None:
    assert row(LOG_IN, "original", LOG_IN, expected="original").harm == ""


def test_a_lost_password_field_is_harm() -> None:
    assert row(LOG_IN, "extracted", b"<p>Log in</p>").harm == "a password field is lost"
    assert row(LOG_IN, "tidied", LOG_IN).harm == ""
    template = b"<script type=text/html><input type='password'></script><p>It rained.</p>"
    assert row(template, "extracted", b"<p>It rained.</p>").harm == ""


def test_a_page_that_should_have_been_left_alone_is_harmed_by_any_change() -> None:
    assert row(LOG_IN, "tidied", LOG_IN, expected="original").harm == "it was tidied"


def test_what_a_page_must_keep_is_looked_for() -> None:
    assert row(b"<p>a", "tidied", b"<p>b", keeps=["name=q"]).harm == "'name=q' is lost"


def test_a_price_that_was_shown_must_be_shown() -> None:
    assert row(OFFER, "tidied", OFFER).harm == ""
    assert row(OFFER, "extracted", b"<h1>Kettle</h1>").harm == "the price 1234.50 is lost"
    assert row(OFFER, "extracted", b"<h1>Kettle</h1>", page_type="article").harm == ""


@pytest.mark.parametrize("body", [OFFER, ARTICLE])
def test_a_page_that_reads_better_and_is_passed_on_is_idle(body: bytes) -> None:
    assert row(body, "original", body).idle
    assert not row(body, "extracted", body).idle
    assert not row(body, "original", body, expected="original").idle


@pytest.mark.parametrize("text", ["$1,234.50", "1 234,50 €", "1234.50", "1.234,50"])
def test_a_price_is_found_however_it_is_written(text: str) -> None:
    assert shows_amount("1234.50", text)
    assert not shows_amount("1234.50", text.replace("1", "91"))


def test_a_price_that_only_the_data_have_is_none() -> None:
    hidden = OFFER.replace(b"<p>", b"<p hidden>")
    assert shown_price(Document.from_html(OFFER)) == "1234.50"
    assert shown_price(Document.from_html(hidden)) == ""


def test_the_table_counts_by_kind_and_names_what_was_harmed() -> None:
    table = task_table(
        [
            TaskRow("p", "a", "log-in", "original", "", False),
            TaskRow("p", "b", "log-in", "tidied", "it was tidied", False),
            TaskRow("p", "c", "recipe", "original", "", True),
        ]
    ).splitlines()
    assert table[1].split() == ["p", "log-in", "2", "0", "1", "1", "1", "0"]
    assert table[2].split() == ["p", "recipe", "1", "0", "0", "1", "0", "1"]
    assert table[3] == "p b: it was tidied"
