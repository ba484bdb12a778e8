"""The table of docs/crunch.md is the code's, and the code's is Crunch's."""

from docs.crunch_levels import FILE, current
from winnow.extractors.crunch.relax_levels import LEVELS, PRESETS, Filter, level

# What each of the shipped profiles keeps that the one before took, as they were published.
KEPT = {
    3: "style-sheets styles style-attributes div-styles",
    4: "images image-links text-links",
    5: "forms buttons",
    8: "empty-tables",
    9: "link-lists",
    10: "frames embeds inputs selects",
    11: "meta flash scripts cell-widths",
    12: "ads",
}
RATIO = {1: 0.25, 6: 0.5, 7: 0.75}


def test_the_committed_table_is_current() -> None:
    text = FILE.read_text("utf-8")
    assert current(text) == text


def test_level_1_filters_everything_and_each_level_keeps_what_its_profile_keeps() -> None:
    assert level(1).filters == frozenset(Filter)
    for number in LEVELS[1:]:
        kept = level(number - 1).filters - level(number).filters
        assert kept == {Filter(name) for name in KEPT.get(number, "").split()}


def test_no_profile_keeps_what_stands_in_for_scripts() -> None:
    assert Filter.NOSCRIPT in level(12).filters


def test_the_ratio_rises_twice_and_alt_texts_come_with_level_2() -> None:
    for number in LEVELS:
        assert level(number).ratio == next(RATIO[n] for n in sorted(RATIO)[::-1] if n <= number)
        assert level(number).alt_texts is (number >= 2)


def test_presets_stand_where_the_slider_stood() -> None:
    told = "news 2, shopping 7, government 5, education 6, text-heavy 2, link-heavy 10"
    assert {pair.split()[0]: int(pair.split()[1]) for pair in told.split(", ")} == PRESETS
