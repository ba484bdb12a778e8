"""``python -m benchmarks.listening_time PACKAGE``: speech before a page's content begins.

Gupta's screen reader test (Gottron 2007, section 6) at ``SPEAKING_RATE``: the page as it came, read
from its top, beside the page that Winnow makes of it. A listener who jumps by headings or landmarks
is faster in both.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from winnow.document.document import Document
from winnow.document.render.renderers import renderer_for
from winnow.document.values import BAR_MARK, Page, Profile, Recipe
from winnow.evaluation.errors import SubjectError
from winnow.evaluation.measures import SPEAKING_RATE, content_bounds
from winnow.evaluation.packages import PackageEntry, find, load
from winnow.evaluation.progress import watched
from winnow.evaluation.proxy_subject import ThroughProxy
from winnow.evaluation.subjects import text_of_spans
from winnow.evaluation.words import words
from winnow.extractors import registry
from winnow.extractors.plain import Plain

Shown = Callable[[PackageEntry], Page]


@dataclass(frozen=True, slots=True)
class ListeningTime:
    """Seconds until the content begins, of the page as it came and as shown (None: never)."""

    before: float
    after: float | None

    @property
    def fall(self) -> float:
        """By what share listening fell; 0 where nothing fell or the content is gone."""
        if self.after is None or self.before <= 0:
            return 0.0
        return max(1 - self.after / self.before, 0.0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the medians; exit 1 where listening fell by less than ``--least``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.listening_time")
    parser.add_argument("package")
    parser.add_argument("--extractor", default="auto", metavar="NAME")
    parser.add_argument("--profile", default="voice", choices=[each.value for each in Profile])
    parser.add_argument("--through", metavar="PROXY_URL", help="a running proxy, its bar included")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every Nth page only")
    parser.add_argument("--least", type=float, default=0.0, metavar="SHARE")
    options = parser.parse_args(arguments)
    package = load(find(options.package))
    entries = [package.entry(one) for one in package.ids[:: options.every]]
    shown = (
        through(options.through, options.profile)
        if options.through
        else rendered(options.extractor, Profile(options.profile))
    )
    found = list(listened(watched(entries, len(entries), options.package), shown))
    sys.stdout.write(summary_of(found, len(entries)))
    return int(median(one.fall for one in found) < options.least)


def listened(entries: Iterable[PackageEntry], shown: Shown) -> Iterable[ListeningTime]:
    """The listening time of each page whose content can be found in the page as it came."""
    for entry in entries:
        before = seconds_to_content(Page(entry.body, entry.url), entry.gold)
        if before is not None:
            yield ListeningTime(before, _after(entry, shown))


def _after(entry: PackageEntry, shown: Shown) -> float | None:
    try:
        return seconds_to_content(shown(entry), entry.gold)
    except SubjectError:
        return None


def rendered(extractor: str, profile: Profile) -> Shown:
    """The reader page of a method, as it goes to a browser but without the bar."""
    method = registry.make(extractor)

    def page(entry: PackageEntry) -> Page:
        document = Document.from_html(entry.body, entry.url)
        recipe = Recipe(extractor, profile=profile)
        shown = renderer_for(recipe).render(document, method.extract(document))
        return Page(shown.body.replace(BAR_MARK, b"", 1), entry.url, "utf-8")

    return page


def through(proxy: str, profile: str) -> Shown:
    """The page as a proxy sends it, with all that it adds."""
    subject = ThroughProxy(proxy, (("Winnow-Bar", "on"), ("Winnow-Profile", profile)))
    return lambda entry: subject.page(entry)[0]


def seconds_to_content(page: Page, gold: str) -> float | None:
    """Seconds of the shown text before the first words of the gold; None if there are none."""
    bounds = content_bounds(words(spoken_text(page)), words(gold))
    return None if bounds is None else bounds[0] * 60 / SPEAKING_RATE


def spoken_text(page: Page) -> str:
    """The text that a screen reader says of a page: not what is folded away, but its summary."""
    document = Document.parse(page)
    text = list(document.text)
    for folded in document.elements_named("details"):
        if "open" not in document.attributes_of(folded):
            for start, end in _inside(document, folded):
                text[start:end] = " " * (end - start)
    return text_of_spans("".join(text), Plain().extract(document))


def _inside(document: Document, folded: int) -> Iterable[tuple[int, int]]:
    """Where the text pieces of a folded element stand, but for those of its summary."""
    elements, pieces = document.elements, document.pieces
    within = range(elements.first_piece[folded], elements.last_piece[folded])
    shown = [one for one in document.elements_named("summary") if elements.parent[one] == folded]
    summary_of = (
        range(elements.first_piece[shown[0]], elements.last_piece[shown[0]]) if shown else ()
    )
    return [(pieces.start[one], pieces.end[one]) for one in within if one not in summary_of]


def summary_of(found: Sequence[ListeningTime], pages: int) -> str:
    """The figures as lines of print."""
    gone = sum(one.after is None for one in found)
    before = median(one.before for one in found)
    after = median(one.after if one.after is not None else one.before for one in found)
    return (
        f"{len(found)} of {pages} pages begin with words of their gold text somewhere\n"
        f"seconds to content, median: {before:.1f} as they came, {after:.1f} as shown\n"
        f"falls by {median(one.fall for one in found):.1%} (median of pages), "
        f"by {1 - after / before:.1%} (of medians); content never comes on {gone}\n"
    )


if __name__ == "__main__":
    sys.exit(main())
