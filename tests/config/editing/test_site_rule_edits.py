"""A file of site rules is edited as a person would: what is not meant stays as it was written."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.config.editing.file_edits import tables_of, with_imported, with_rule, without_rule
from winnow.config.errors import InvalidSettingsError, UnreadableFileError

HERE = Path("rules.toml")
FILE = """\
# Mine, by hand.
[[rule]]
site = "a.example"  # the first
drop = [".menu"]

[[rule.test]]
url = "http://a.example/"
file = "page.html"
has = ["words"]

# The second.
[[rule]]
site = "b.example"
level = 3  # low
"""
SITES = st.sampled_from(["a.example", "b.example", "c.example:81"])
TEXTS = st.lists(st.text(st.characters(codec="utf-8"), min_size=1), min_size=1, max_size=3)
TABLES = st.fixed_dictionaries(
    {"site": SITES},
    optional={
        "level": st.integers(1, 12),
        "keep": TEXTS,
        "test": st.lists(st.fixed_dictionaries({"url": st.text(), "has": TEXTS}), min_size=1),
    },
)


def test_a_changed_point_leaves_the_comments_of_all_others() -> None:
    old = tables_of(FILE, HERE)[1]
    changed = with_rule(FILE, 1, {**old, "keep": ["#lead"]})
    assert changed == FILE + 'keep = ["#lead"]\n'
    assert with_rule(FILE, 0, tables_of(FILE, HERE)[0]) == FILE


def test_a_point_that_is_left_out_goes() -> None:
    changed = with_rule(FILE, 1, {"site": "b.example"})
    assert "level" not in changed
    assert "# the first" in changed


@given(st.lists(TABLES, max_size=4), TABLES)
def test_a_new_rule_is_the_last(tables: list[dict[str, object]], new: dict[str, object]) -> None:
    text = ""
    for table in tables:
        text = with_rule(text, None, table)
    assert tables_of(with_rule(text, None, new), HERE) == [*tables, new]


@given(st.lists(TABLES, min_size=1, max_size=4), st.data())
def test_one_rule_is_changed_or_removed(
    tables: list[dict[str, object]], data: st.DataObject
) -> None:
    text = ""
    for table in tables:
        text = with_rule(text, None, table)
    number = data.draw(st.integers(0, len(tables) - 1))
    new = data.draw(TABLES)
    changed = tables_of(with_rule(text, number, new), HERE)
    assert changed == [*tables[:number], new, *tables[number + 1 :]]
    left = tables_of(without_rule(text, number), HERE)
    assert left == [*tables[:number], *tables[number + 1 :]]


def test_imported_rules_go_in_the_place_of_those_for_the_same_site() -> None:
    other = '[[rule]]\nsite = "b.example"\nlevel = 5\n\n[[rule]]\nsite = "c.example"\n'
    found = with_imported(FILE, other, HERE)
    assert [(rule["site"], rule.get("level")) for rule in tables_of(found, HERE)] == [
        ("a.example", None),
        ("b.example", 5),
        ("c.example", None),
    ]
    assert found.startswith(FILE.partition("# The second.")[0])


def test_no_imported_rule_names_a_file_to_read() -> None:
    named = '[[rule]]\nsite = "c.example"\n[[rule.test]]\nurl = "x"\nhas = ["root"]\n'
    named += 'file = "/etc/passwd"\n'
    with pytest.raises(InvalidSettingsError, match="must not be named by a rule that is imported"):
        with_imported(FILE, named, HERE)


def test_what_is_no_file_of_rules_is_not_imported() -> None:
    with pytest.raises(UnreadableFileError, match="is not valid TOML"):
        with_imported(FILE, "[[rule", HERE)
    with pytest.raises(InvalidSettingsError, match="level must be"):
        with_imported(FILE, '[[rule]]\nsite = "x"\nlevel = 40\n', HERE)
