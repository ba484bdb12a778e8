"""When a page was published and changed: what stands near its headline before what is declared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from winnow.document.document import Document
from winnow.document.metadata.date_words import dates_in, first_date, first_day
from winnow.document.metadata.headline import Line, LinesAround
from winnow.document.parsing import start_tags
from winnow.document.parsing.signature import needs
from winnow.document.texts.short_texts import text_inside

_UPDATE: Final = re.compile(
    r"updat|modif|revis|reviewed|edited|aktualis|aktualiz|geändert|mise? à jour|actuali|aggiorna|"
    r"atualiz|bijgewerkt|gewijzigd|uppdater|oppdatert|opdater|päivitetty|módosít|frissít|güncelle|"
    r"diperbarui|cập nhật|обнов|оновл|ενημέρωση|محدث|تحديث|עודכן|به.?روز|更新|업데이트|수정|"
    r"last post|joined|expires|accessed|viewed",
    re.IGNORECASE,
)
_OF_ANOTHER: Final = re.compile(
    r"releas|deadline|apply|due|expir|valid until|starts?\b|begins|born|until|joined|accessed",
    re.IGNORECASE,
)
"""What the label of a date says that is that of a thing on the page."""
_LABELLED: Final = re.compile(
    r"\W*(?:this (?:post|entry|article) was )?(?:first |originally )?"
    r"(?:published|posted|submitted)\b",
    re.IGNORECASE,
)
_LABELS: Final = ("ublished", "osted", "ubmitted", "UBLISHED", "OSTED", "UBMITTED")
"""What every label holds."""
_FAR: Final = 40
"""Characters between the label of a date and the date."""
_PUBLISHED: Final = re.compile(
    r"publi|post|veröffentlicht|écrit|опублик|发布|發布|公開|입력|등록|geplaatst|wydan|asked|started",
    re.IGNORECASE,
)
_PROPERTIES: Final = frozenset({"datePublished", "dateCreated"})
_MARKED: Final = re.compile(
    r"\b(?:datePublished|dateCreated|published)\b|"
    r"\b(?:entry|post|article|publish(?:ed)?)[_-]{1,2}(?:date|time|on)\b"
)
_TIME: Final = frozenset({"itemprop", "class", "pubdate", "datetime", "content", "title"})
_LONGEST: Final = 160
"""Characters of a line whose dates are the page's: longer ones are prose."""
_BEHIND: Final = 10
_BESIDE: Final = 2
_BEFORE: Final = 4
"""Lines on either side of the headline that are read for dates."""
_LABEL: Final = 40
"""Characters before a date that say which it is."""
_MOMENT: Final = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:[.,]\d+)?\s*(Z|[+-]\d\d:?\d\d)?"
)


class Publication(NamedTuple):
    """Days or moments in ISO 8601; "" where nothing says them."""

    published: str = ""
    modified: str = ""


class DeclaredDates(NamedTuple):
    """What metadata says, the most reliable first, as it is written.

    ``entries``: days of publication that count where the page shows them too.
    """

    published: Sequence[str] = ()
    entries: Sequence[str] = ()
    modified: Sequence[str] = ()

    def where_shown(self) -> DeclaredDates:
        """The same, of which each day counts only where the page shows it."""
        return DeclaredDates((), (*self.published, *self.entries), self.modified)


class _Shown(NamedTuple):
    day: str
    is_update: bool


def publication_of(
    around: LinesAround, declared: DeclaredDates, language: str, *, is_thread: bool = False
) -> Publication:
    """Both dates.

    A date that stands near the headline and is not said to be that of a change is the
    publication's, whatever is declared. Several different ones, where none is declared, are those
    of the things that the page lists, or of a thread's posts.
    """
    shown = list(_shown((*around.behind[:_BEHIND], *around.before[:_BESIDE]), language))
    texts, modified = (*declared.published, *declared.entries), declared.modified
    day_of = {text: first_day(text, language) for text in {*texts, *modified}}
    days = [day_of[text] for text in texts]
    stated = days[: len(declared.published)]
    if not shown and not any(stated):
        shown = list(_shown(around.before[_BESIDE:_BEFORE], language))
    if not (shown or texts or modified):
        return Publication()
    firsts = [item.day for item in shown if not item.is_update]
    is_list = len({*firsts}) > 1 and not declared.published and not is_thread
    firsts = [] if is_list else firsts
    day = next((known for known in days if known in firsts), "") or next(iter(firsts), "")
    day = day or next(filter(None, stated), "")
    changes = [day_of[text] for text in modified]
    changed = next((item.day for item in shown if item.is_update), "")
    changed = changed or next((known for known in changes if known > day > ""), "")
    return Publication(
        _moment(day, days, texts), _moment(changed, changes, modified) if changed != day else ""
    )


def confirmed_of(around: LinesAround, declared: DeclaredDates, language: str) -> Publication:
    """The day of publication that is declared and stands near the headline too; no other."""
    shown = {
        item.day for item in _shown((*around.behind[:_BEHIND], *around.before[:_BESIDE]), language)
    }
    texts = (*declared.published, *declared.entries)
    days = [first_day(text, language) for text in texts]
    day = next((known for known in days if known in shown), "")
    return Publication(_moment(day, days, texts))


def labelled_date(document: Document, language: str) -> str:
    """The one day that lines anywhere in the page say to be that of publication, else ""."""
    text, found = document.text, set[str]()
    for label in _labels(text):
        behind = text[label.end() : label.end() + 2 * _FAR]
        item = first_date(behind, language)
        if item and item.start < _FAR and ". " not in behind[: item.start]:
            found.add(item.day)
    return found.pop() if len(found) == 1 else ""


def _labels(text: str) -> Iterator[re.Match[str]]:
    """The labels of days of publication that lines begin with, the first line's left out."""
    places = start_tags.standing_of(text, _LABELS)
    for begin in {text.rfind("\n", 0, at) + 1 for at in places} - {0}:
        if label := _LABELLED.match(text, begin):
            yield label


@needs("time", 'itemprop="dat', absent=())
def marked_dates(document: Document) -> Iterable[str]:
    """What microdata, or a class of ``<time>``, marks as the day of publication."""
    for element in document.elements_named("time"):
        attributes = document.attributes_of(element, _TIME)
        names = f"{attributes.get('itemprop', '')} {attributes.get('class', '')}"
        if "pubdate" in attributes or _MARKED.search(names):
            yield attributes.get("datetime", "") or text_inside(document, element)
    for at in start_tags.standing(document.markup, 'itemprop="dat', 4):
        element = int(document.elements.open_start.searchsorted(at, side="right")) - 1
        attributes = document.attributes_of(element, _TIME)
        if attributes.get("itemprop") in _PROPERTIES:
            stated = (attributes.get(name, "") for name in ("content", "datetime", "title"))
            yield next(filter(None, stated), "") or text_inside(document, element)


def _moment(day: str, days: Sequence[str], texts: Sequence[str]) -> str:
    """A day with its time where a declared text has it."""
    for known, text in zip(days, texts, strict=True):
        if day and known == day and (found := _MOMENT.search(text)):
            zone = re.sub(r"(?<=\d\d)(?=\d\d$)", ":", found[3] or "")
            return f"{found[1]}T{found[2]}{zone}"
    return day


def _shown(lines: Iterable[Line], language: str) -> Iterator[_Shown]:
    """The dates of short lines, and whether a change is what their label says."""
    previous = ""
    for line in lines:
        found = dates_in(line.text, language) if len(line.text) <= _LONGEST else ()
        for index, item in enumerate(found):
            begin = found[index - 1].end if index else 0
            label = line.text[max(begin, item.start - _LABEL) : item.start]
            is_bare = not any(map(str.isalpha, label))
            label = f"{previous} {label}" if is_bare else label
            if not _OF_ANOTHER.search(label):
                yield _Shown(item.day, _is_update(label))
        previous = line.text if len(line.text) <= _LABEL else ""


def says_update(text: str) -> bool:
    """Whether a text has a word for a change."""
    return _UPDATE.search(text) is not None


def _is_update(label: str) -> bool:
    """Whether the last word of a label says that what follows is a change."""
    last = max((found.end() for found in _UPDATE.finditer(label)), default=-1)
    return last > 0 and last >= max(
        (found.end() for found in _PUBLISHED.finditer(label)), default=-1
    )
