"""The picture of accuracy and cost: every subject by name, ours told apart, names legible."""

import re
from xml.etree import ElementTree

from benchmarks.figures import Figure
from docs.performance_picture import PEERS, TARGET, committed, picture


def figure(subject: str, f1: float, ratio: float) -> Figure:
    return {"subject": subject, "f1": f1, "ratio": ratio}


def test_every_subject_stands_there_once_by_its_name() -> None:
    drawn = picture([figure("auto", 0.8, 8), figure("goose3", 0.6, 200)])
    words = [node.text for node in ElementTree.fromstring(drawn).iter() if node.text]
    assert words.count("auto") == 1
    assert words.count("goose3") == 1


def test_ours_and_theirs_differ_in_colour() -> None:
    drawn = picture([figure("auto", 0.8, 8), figure("goose3", 0.6, 200)])
    assert len(set(re.findall(r'<circle[^>]* fill="([^"]+)"', drawn))) == 2


def test_names_of_equal_points_do_not_cover_each_other() -> None:
    drawn = picture([figure("a", 0.7, 20), figure("b", 0.7, 20)])
    heights = re.findall(r'y="([\d.]+)" class="start">[ab]<', drawn)
    assert abs(float(heights[0]) - float(heights[1])) >= 12


def test_every_peer_is_among_the_committed_figures() -> None:
    assert {str(one["subject"]) for one in committed()} >= PEERS


def test_the_committed_picture_is_of_the_committed_figures() -> None:
    """It said .881 where the model's own manifest said .882."""
    assert TARGET.read_text("utf-8") == picture(committed()) + "\n"
