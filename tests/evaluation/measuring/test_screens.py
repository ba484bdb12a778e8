"""Words and screens of a small display."""

from winnow.evaluation.measuring.display import Display, counted
from winnow.evaluation.measuring.screens import ORIGINAL, Screened, screen_table

GOLD = "The dog barked at the moon all night."


def test_content_begins_where_its_first_words_stand() -> None:
    texts = [("Home News", 10.0), ("Share this", 700.0), (GOLD, 1280.0), ("Imprint", 1900.0)]
    assert counted(texts, GOLD, 1920.0, 640.0) == Display(13, 2, 3.0, 2.0)


def test_a_page_without_content_has_no_place_where_it_begins() -> None:
    assert counted([("Home News", 10.0)], GOLD, 640.0, 640.0).before is None


def test_means_and_failures_are_reported_by_subject() -> None:
    found = [
        Screened("small", ORIGINAL, Display(100, 20, 4.0, 1.0)),
        Screened("small", "http://proxy", Display(50, 30, 2.0, None)),
        Screened("small", ORIGINAL, Display(200, 40, 6.0, 2.0)),
        Screened("small", "http://proxy", None),
    ]
    said, heading, original, proxy = screen_table(found).splitlines()
    assert "360 by 640" in said
    assert heading.startswith("package  subject")
    assert original.split()[1:] == ["original", "2", "150.0", "30.0", "5.0", "1.5", "0", "0"]
    assert proxy.split()[1:] == ["http://proxy", "2", "50.0", "30.0", "2.0", "0.0", "1", "1"]
