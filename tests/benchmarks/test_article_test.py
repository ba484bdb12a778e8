"""The article test is measured by kind of page."""

from benchmarks.article_test import ARTICLE, KIND, METHODS, refusals, report
from tests.extractors.mss.pages import news
from winnow.evaluation.packages import PackageEntry


def entry(name: str, html: str, kind: str) -> PackageEntry:
    return PackageEntry(name, html.encode(), "gold", {"page_type": kind})


def test_articles_pass_and_a_brief_is_refused() -> None:
    brief = "<p>It rained all day.</p><p>Then it stopped.</p>"
    pages, refused = refusals([entry("a", news(3), ARTICLE), entry("b", brief, "listing")])
    assert pages == {ARTICLE: 1, "listing": 1}
    for name in METHODS:
        assert (refused[name][ARTICLE], refused[name]["listing"]) == (0, 1)
    lines = report(pages, refused).splitlines()
    assert lines[0].split()[:2] == ["refused", "article"]
    assert [line.split("  ")[0] for line in lines[1:]] == [*METHODS, KIND]
    assert lines[1].split()[-1] == "100.0%"
