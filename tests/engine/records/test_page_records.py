"""Records are found by marks, numbers, and dates in elements of one form; bodies alone are text."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from winnow.document.document import Document
from winnow.document.edits import Edit, Operation
from winnow.document.render.renderers import renderer_for
from winnow.document.spans import RecordKind
from winnow.document.values import Comments, Extraction, Format, Purpose, Recipe, Span
from winnow.engine.records.page_records import with_records
from winnow.engine.records.record_marks import Mark, RecordMarks

SAID = ("My front wheel squeaks when it rains.", "Then it is the brake pads, I would say.")


def found(
    html: str, purpose: Purpose = Purpose.THREAD, choice: Comments = Comments.FOLD
) -> tuple[Document, Extraction]:
    document = Document.from_html(html)
    everything = Extraction("all", (Span(0, len(document.text)),), purpose=purpose)
    return document, with_records(document, everything, choice)


def shown(html: str, form: Format, purpose: Purpose = Purpose.THREAD) -> str:
    return renderer_for(Recipe(format=form)).render(*found(html, purpose)).body.decode()


def facts(html: str, purpose: Purpose = Purpose.THREAD) -> list[tuple[str, str, str]]:
    return [(one.author, one.time, one.number) for one in found(html, purpose)[1].records]


def bodies(html: str, purpose: Purpose = Purpose.THREAD) -> list[str]:
    posts = json.loads(shown(html, Format.JSON, purpose))["posts"] or []
    return [post["text"] for post in posts]


PHPBB = "".join(
    f"<div id=p{number} class=post><dl class=postprofile><dt><a class=username href=member.php?u=1>"
    f"{who}</a></dt><dd><b>Posts:</b> 12</dd><dd>Joined: 3 May 2019</dd></dl>"
    f"<div class=postbody><p class=author>by <b>{who}</b> \u00bb 4 Mar 2024 10:2{number}</p>"
    f"<div class=content>{said}</div><div class=signature>Keep rolling</div></div></div>"
    for number, (who, said) in enumerate(zip(("rider7", "chainoil"), SAID, strict=True), 1)
)
XENFORO = "".join(
    f"<article class=message data-author={who} id=js-post-{number}><section class=message-user>"
    f"<h4><a class=username href=/members/{who}>{who}</a></h4><h5>Member</h5></section>"
    f"<ul><li><time datetime=2024-03-04T10:2{number}:00+0000>Mar 4</time></li><li>#{number}</li>"
    f"</ul><div class=message-body>{said}</div><div class=reactionsBar>3 likes</div></article>"
    for number, (who, said) in enumerate(zip(("rider7", "chainoil"), SAID, strict=True), 1)
)
TABLES = "<table>" + "".join(
    f"<tr class=athing id=41{number}><td><div><a class=hnuser href='user?id={who}'>{who}</a> "
    f"<span class=age title=2024-03-04T10:2{number}:00><a>3 hours ago</a></span></div>"
    f"<div class=commtext>{said}</div><div class=reply><a>reply</a></div></td></tr>"
    for number, (who, said) in enumerate(zip(("rider7", "chainoil"), SAID, strict=True), 1)
)
MICRODATA = "".join(
    f"<div itemscope itemtype=https://schema.org/Comment><span itemprop=author itemscope><span "
    f"itemprop=name>{who}</span></span>"
    f"<meta itemprop=datePublished content=2024-03-04T10:2{number}>"
    f"<p>Level 4</p><div itemprop=text>{said}</div></div>"
    for number, (who, said) in enumerate(zip(("rider7", "chainoil"), SAID, strict=True), 1)
)


@pytest.mark.parametrize(
    ("html", "times", "numbers"),
    [
        (PHPBB, ("4 Mar 2024 10:21", "4 Mar 2024 10:22"), ("", "")),
        (XENFORO, ("2024-03-04T10:21:00+0000", "2024-03-04T10:22:00+0000"), ("1", "2")),
        (TABLES, ("2024-03-04T10:21:00", "2024-03-04T10:22:00"), ("", "")),
        (MICRODATA, ("2024-03-04T10:21", "2024-03-04T10:22"), ("", "")),
    ],
)
def test_who_and_when(html: str, times: tuple[str, ...], numbers: tuple[str, ...]) -> None:
    assert facts(html) == list(zip(("rider7", "chainoil"), times, numbers, strict=True))


@pytest.mark.parametrize("html", [PHPBB, XENFORO, TABLES, MICRODATA])
def test_bodies_alone_are_the_text(html: str) -> None:
    assert shown(html, Format.TEXT) == "\n\n".join(SAID) + "\n"
    assert bodies(html) == list(SAID)


def test_each_post_is_an_article_below_its_author() -> None:
    page = shown(XENFORO, Format.HTML)
    assert page.count("<article>") == 2
    assert (
        '<article><h2>rider7 \u00b7 <time datetime="2024-03-04T10:21:00+0000">March 4, 2024, '
        f"10:21 AM</time> \u00b7 #1</h2><p>{SAID[0]}</p></article>"
    ) in page


def test_a_table_of_posts_is_no_table() -> None:
    assert "<t" not in shown(TABLES, Format.HTML).partition("<main")[2].replace("<time", "")


def test_what_a_method_missed_of_a_post_is_shown_but_no_text() -> None:
    document = Document.from_html(XENFORO.replace("rains.", "rains.<blockquote>Q.</blockquote>"))
    text = document.text
    kept = tuple(
        Span(text.index(said), text.index(said) + len(said))
        for said in ("My front wheel squeaks when it rains.", SAID[1])
    )
    result = with_records(document, Extraction("some", kept, purpose=Purpose.THREAD), Comments.FOLD)
    assert [text[span.start : span.end] for span in result.spans] == list(SAID)
    page = renderer_for(Recipe()).render(document, result).body.decode()
    assert "<blockquote><p>Q.</p></blockquote>" in page


QUESTION = (
    "<div itemscope itemtype=https://schema.org/Question><div class=question>"
    "<div itemprop=text>How deep is the harbour at low tide?</div><div itemprop=author itemscope>"
    "<a itemprop=name>Ann</a><span>50911 gold badge66 silver badges</span></div>"
    "<time itemprop=dateCreated datetime=2024-03-04>Mar 4</time></div>"
    "<div class='answer accepted-answer' itemscope itemtype=https://schema.org/Answer>"
    "<div itemprop=text>Six metres, less in March.</div><span itemprop=author itemscope>"
    "<span itemprop=name>Bo</span></span>"
    "<time itemprop=dateCreated datetime=2024-03-05>Mar 5</time>"
    "<ul><li class=comment itemscope itemtype=https://schema.org/Comment><span itemprop=text>"
    "Four, as of today.</span> <a itemprop=author>Cy</a> <time itemprop=dateCreated "
    "datetime=2024-03-06>Mar 6</time></li></ul></div></div>"
)


def test_a_question_its_answer_and_a_comment_on_that() -> None:
    _, result = found(QUESTION, Purpose.QUESTION)
    assert [(one.kind, one.author, one.parent, one.is_accepted) for one in result.records] == [
        (RecordKind.QUESTION, "Ann", -1, False),
        (RecordKind.ANSWER, "Bo", 0, True),
        (RecordKind.COMMENT, "Cy", 1, False),
    ]
    assert "reply to Bo" in shown(QUESTION, Format.HTML, Purpose.QUESTION)
    assert "accepted answer" in shown(QUESTION, Format.MARKDOWN, Purpose.QUESTION)
    assert "badge" not in shown(QUESTION, Format.HTML, Purpose.QUESTION)


TEXT = "<main><p>" + "The ferry left the quay at dawn with ten cars aboard. " * 4 + "</p></main>"
COMMENTS = "<ol id=comments class=commentlist>" + "".join(
    f"<li id=comment-{number}><cite class=fn>{who}</cite> says: <a href=#c>March {number}, 2024</a>"
    f"<p>{said}</p></li>"
    for number, (who, said) in enumerate(zip(("Ann", "Bo"), SAID, strict=True), 1)
)


def test_comments_are_counted_and_folded() -> None:
    page = shown(TEXT + COMMENTS, Format.HTML, Purpose.ARTICLE)
    before, _, folded = page.partition(
        '<details id="winnow-comments"><summary>Comments (2)</summary>'
    )
    assert SAID[0] not in before
    assert folded.count("<article>") == 2
    assert "<h2>Ann \u00b7 <time" in folded
    assert SAID[0] not in shown(TEXT + COMMENTS, Format.TEXT, Purpose.ARTICLE)


@pytest.mark.parametrize(("choice", "number"), [(Comments.KEEP, 2), (Comments.DROP, 0)])
def test_comments_that_are_kept_are_records_in_the_text(choice: Comments, number: int) -> None:
    document, result = found(TEXT + COMMENTS, Purpose.ARTICLE, choice)
    page = renderer_for(Recipe()).render(document, result).body.decode()
    assert (len(result.records), page.count("<article>")) == (number, number)
    assert "winnow-comments" not in page


@pytest.mark.parametrize("html", ["", "<p>One.</p>", TEXT, "<article>One <time>2 May</time>"])
def test_a_page_without_records_stays_as_it_is(html: str) -> None:
    document = Document.from_html(html)
    for purpose in (Purpose.ARTICLE, Purpose.THREAD):
        before = Extraction("none", (), purpose=purpose)
        assert with_records(document, before, Comments.FOLD).spans == ()


def test_an_extraction_that_changes_markup_keeps_its_own_text() -> None:
    """Edits are by elements: records would take pieces out that the method shows by its edits."""
    document = Document.from_html(PHPBB)
    everything = Extraction("all", (Span(0, len(document.text)),), purpose=Purpose.THREAD)
    changed = replace(everything, edits=(Edit(0, Operation.REMOVE),))
    for one in (changed, replace(everything, edited=True)):
        assert with_records(document, one, Comments.FOLD) == one
    assert with_records(document, everything, Comments.FOLD).records


def test_posts_that_are_numbered_as_in_forums_make_a_thread() -> None:
    html = PHPBB + PHPBB.replace("id=p", "id=p1")
    assert len(found(html, Purpose.ARTICLE)[1].records) == 4
    assert not found(html.replace("id=p", "id=post-"), Purpose.ARTICLE)[1].records


def test_who_began_a_thread_is_its_author() -> None:
    before = "<main><h1>Squeaks</h1><p>The first post stands alone, and says who began.</p>"
    assert 'class="winnow-about">rider7' in shown(XENFORO, Format.HTML)
    assert '"winnow-about">rider7' not in shown(before + XENFORO, Format.HTML)


def test_plain_text_says_who_and_when_where_that_is_asked_for() -> None:
    document, extraction = found(XENFORO)
    rendered = renderer_for(Recipe(format=Format.TEXT, records=True)).render(document, extraction)
    assert rendered.body.decode() == (
        f"rider7 \u00b7 March 4, 2024, 10:21 AM \u00b7 #1\n\n{SAID[0]}\n\n"
        f"chainoil \u00b7 March 4, 2024, 10:22 AM \u00b7 #2\n\n{SAID[1]}\n"
    )


def test_signatures_sort_menus_and_notes_of_changes_are_no_part_of_a_post() -> None:
    chaff = "<div class='menu sort_menu'>Oldest first</div><p class='x ipsEdited'>Edited by Ann</p>"
    signed = "<aside class=message-signature><div class=bbWrapper>Keep rolling</div></aside>"
    html = XENFORO.replace("message-body>", "bbWrapper>")
    html = html.replace("</div><div class=rea", f"{chaff}</div><div class=rea")
    assert bodies(html.replace("</article>", f"{signed}</article>")) == list(SAID)


def test_a_note_that_is_not_to_be_quoted_is_no_part_of_a_post() -> None:
    html = XENFORO.replace(
        "</div><div class=rea", "<p data-excludequote=''>Changed</p></div><div class=rea"
    )
    assert bodies(html) == list(SAID)


def test_a_thread_that_holds_its_first_post_is_no_post_besides() -> None:
    head = (
        "<meta itemprop=datePublished content=2024-03-04T10:21>"
        "<span itemprop=author itemscope><span itemprop=name>rider7</span></span>"
        "<p>23 answers so far</p>"
    )
    kind = "itemscope itemtype=https://schema.org/DiscussionForumPosting"
    assert facts(f"<div {kind}>{head}{MICRODATA}</div>") == facts(MICRODATA)


def test_a_name_next_to_the_date_is_the_author_where_nothing_marks_one() -> None:
    html = "".join(
        f"<li><b>{who}</b><p>4 March 2024, 10:2{at}</p><p>{said}</p></li>"
        for at, (who, said) in enumerate(zip(("rider7", "chainoil"), SAID, strict=True))
    )
    assert [who for who, _, _ in facts(f"<ul>{html}</ul>")] == ["rider7", "chainoil"]


def test_when_somebody_joined_is_not_when_he_wrote() -> None:
    panel = "<div class=postprofile>Founded: <b>Oct 05, 2011</b></div><p class=author>by"
    found = facts(PHPBB.replace("<p class=author>by", panel))
    assert [time for _, time, _ in found] == ["4 Mar 2024 10:21", "4 Mar 2024 10:22"]


def test_ids_that_differ_by_their_numbers_are_read_with_them() -> None:
    document = Document.from_html('<p id="post_message_12">A<p id="post_message_13">B<p id="p14">C')
    found = RecordMarks(document).of(Mark.BODY, 0, len(document.elements))
    assert [document.attributes_of(element)["id"] for element in found] == [
        "post_message_12",
        "post_message_13",
    ]
