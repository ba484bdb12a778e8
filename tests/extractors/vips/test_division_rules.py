"""The thirteen rules, each on a page written for it (MSR-TR-2003-79, section 4.1)."""

import pytest

from tests.extractors.vips.layouts import laid_out, node_of
from winnow.extractors.vips.division_rules import DivisionCase, DivisionDecision, decide

PAGE = "<html box='0 0 1000 1000'><body>{}"
LARGE = "box='0 0 1000 500'"
SMALL = "box='0 0 100 100'"


def judged(html: str, name: str, sibling_divided: bool = True) -> DivisionDecision:
    tree = laid_out(PAGE.format(html))
    node = node_of(tree, name)
    return decide(DivisionCase(tree, node, tree.children(node), sibling_divided))


def test_1_what_has_nothing_inside_is_not_divided() -> None:
    assert judged("<img box='0 0 500 500'>", "img") == DivisionDecision(False)


def test_2_an_only_child_that_is_no_text_stands_for_its_parent() -> None:
    assert judged(f"<div {SMALL}><p>one</p></div>", "div").divide


def test_4_nothing_but_text_of_one_font_is_as_coherent_as_can_be() -> None:
    assert judged(f"<p {LARGE}>one <b>two</b> three</p>", "p") == DivisionDecision(False, 10)


def test_4_text_of_two_fonts_is_a_little_less_so() -> None:
    html = f"<p {LARGE}>one <b font='16 700'>two</b></p>"
    assert judged(html, "p") == DivisionDecision(False, 9)


def test_5_an_inline_node_with_a_line_break_inside_is_divided() -> None:
    assert judged(f"<span {SMALL}>one <div>two</div></span>", "span").divide


def test_6_a_node_with_a_rule_among_its_children_is_divided() -> None:
    assert judged(f"<div {SMALL}><p>one</p><hr><p>two</p></div>", "div").divide


def test_7_a_row_whose_cells_are_larger_than_itself_is_divided() -> None:
    cells = "<td box='0 0 90 90'>one</td><td box='90 0 190 90'>two</td>"
    assert judged(f"<table><tr box='0 0 50 50'>{cells}</tr></table>", "tr").divide


def test_8_a_child_of_another_colour_stays_whole_this_time() -> None:
    html = f"<div {LARGE}><p>one</p><section bg=red {SMALL}><p>two</p>three</section></div>"
    found = judged(html, "div")
    assert found.divide
    assert [degree for _, degree in found.undivided] == [6]


@pytest.mark.parametrize(
    ("child", "degree"),
    [
        ("<p bg=red>two</p>", 10),
        ("<p bg=red>two <b font='16 700'>three</b></p>", 9),
        ("<img bg=red box='0 0 900 500'>", 10),
        ("<p bg=red>two<div bg=red><p>three</p></div>", 10),
    ],
)
def test_8_a_child_that_is_nothing_but_text_has_the_degree_of_rule_4(
    child: str, degree: int
) -> None:
    (_, found), *_ = judged(f"<div {LARGE}><section>one</section>{child}</div>", "div").undivided
    assert found == degree


@pytest.mark.parametrize(("tag", "degree"), [("section", 5), ("div", 6), ("li", 7), ("dd", 8)])
def test_9_a_small_node_with_text_stays_whole_by_its_tag(tag: str, degree: int) -> None:
    html = f"<{tag} {SMALL}>one <p>two</p></{tag}>"
    assert judged(html, tag) == DivisionDecision(False, degree)


def test_10_a_node_of_small_children_stays_whole_by_its_size() -> None:
    html = f"<div {LARGE}><p {SMALL}>one</p><p {SMALL}>two</p></div>"
    assert judged(html, "div") == DivisionDecision(False, 5)


def test_11_a_cell_behind_an_undivided_one_is_not_divided() -> None:
    cell = f"<td {LARGE}><p>one</p><p>two</p></td>"
    assert not judged(f"<table><tr>{cell}</tr></table>", "td", sibling_divided=False).divide


def test_12_another_large_node_is_divided() -> None:
    assert judged(f"<div {LARGE}><p>one</p><p>two</p></div>", "div").divide


def test_13_a_table_of_large_rows_is_not() -> None:
    html = f"<table {LARGE}><caption>one</caption><tr><td>two</table>"
    assert not judged(html, "table").divide
