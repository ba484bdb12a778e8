"""Training pages with other stories around their text and above their headline."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from winnow.evaluation.gold.packages import Package, PackageEntry, load
from winnow.evaluation.training.other_forms import (
    domain_of,
    other_forms,
    stories_of,
    training_entries,
)
from winnow.extractors.auto.training.training_examples import PageForm


@pytest.fixture
def package(tmp_path: Path) -> Package:
    """Twenty pages with a title and a text."""
    (tmp_path / "package.json").write_text('{"name": "small"}')
    for at in range(20):
        title = f"Headline of story number {at}"
        text = f"Story {at}: " + " ".join(f"said{at}w{word}" for word in range(60))
        html = f"<title>{title}</title><body><h1>{title}</h1><div><p>{text}</p></div><p>Foot"
        (tmp_path / f"{at}.html").write_text(html)
        (tmp_path / f"{at}.txt").write_text(text)
        (tmp_path / f"{at}.json").write_text(json.dumps({"title": title, "language": "en"}))
    return load(tmp_path)


def forms_of(package: Package) -> list[list[PageForm]]:
    return [list(one.example.forms()) for one in training_entries([package])]


def test_a_page_has_lists_around_its_text_and_a_menu_above_its_headline(package: Package) -> None:
    for listed, menu in forms_of(package):
        at = menu.document.text.index("Headline of story")
        assert menu.document.elements_named("h1")[0] > menu.document.elements_named("ul")[0]
        assert menu.document.text.count("Headline of story") > 3, at
        assert len(listed.document.elements_named("a")) >= 4


def test_the_stories_are_no_content_and_the_text_is(package: Package) -> None:
    for number, forms in zip(package.ids, forms_of(package), strict=True):
        for document, blocks, shares in forms:
            texts = [
                document.text[start:end]
                for start, end in zip(blocks.start.tolist(), blocks.end.tolist(), strict=True)
            ]
            content = [
                t for t, share in zip(texts, shares, strict=True) if share > 0.9 and len(t) > 200
            ]
            assert len(content) == 1
            assert content[0].startswith(f"Story {number}:")


def test_the_forms_are_the_same_in_every_run(package: Package) -> None:
    once, again = (
        [form.document.markup for forms in forms_of(package) for form in forms] for _ in range(2)
    )

    assert once == again


def test_a_package_with_too_few_stories_has_no_forms(package: Package) -> None:
    one = next(training_entries([package]))
    stories = {name: some[:5] for name, some in stories_of([package]).items()}

    assert not list(other_forms("small", one.entry, one.example, stories))


@pytest.mark.parametrize(
    ("meta", "domain"),
    [
        ({"url": "https://news.example.org/a", "site": "other.example"}, "example.org"),
        ({"site": "www.other.example"}, "other.example"),
        ({}, "12"),
    ],
)
def test_a_page_without_address_is_of_its_site_or_alone(
    meta: dict[str, object], domain: str
) -> None:
    assert domain_of(PackageEntry("12", b"", "", meta)) == domain
