"""What readers' comments are called in other languages than English: in classes and ids, in the
line above them, and in the line that answers one.

Names of sections are plurals: a German *Kommentar* is an opinion of the paper's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

SECTIONS: Final = (
    "kommentare|kommentarer|kommentit|commentaires|comentarios|comentaris|comentarii|commenti"
    "|reacties|komentarz[ey]|komentare|komentari|kommentarii|yorumlar|hozzaszolasok"
)
"""In classes and ids: a whole section."""
SINGLE: Final = (
    "kommentar|kommentti|commentaire|comentario|comentari|comentariu|commento|reactie|komentarz"
    "|komentar|kommentariy|yorum|hozzaszolas"
)
"""In classes and ids: one comment."""
_READERS: Final = r"(?:czytelników|internautów|użytkowników|читателей|пользователей|читачів)"
HEADS: Final = (
    r"komentarz[ey]?|komentář[eůi]?|komentare|komentari|komentar|kommentarer|kommentit|comentarii"
    r"|kommentek|hozzászólás(?:ok)?|yorum(?:lar)?|bình luận"
    r"|комментари(?:й|и|я|ев)|коментар(?:и|і|ів)|отзыв(?:ы|ов)|σχόλια"
    rf"|opinie(?=\W*\d|\s+{_READERS})|opinii(?=\W*\Z)"
    r"|(?:网友|網友|全部|最新|热门|精彩|用户|读者)?(?:评论|評論|留言|跟帖)|コメント|댓글"
    r"|(?:ال)?تعليقات|نظرات|תגובות|ความคิดเห็น|टिप्पणियाँ"
)
"""In the line above them."""
BEFORE_HEAD: Final = r"(?:(?:wszystkie|ostatnie|все|последние|всі|tüm|všechny)\s+)?"
BEHIND_HEAD: Final = rf"(?:\s+{_READERS})?"
REPLY: Final = (
    "odpowiedz|ответить|відповісти|antworten|répondre|responder|respon|rispondi|beantwoorden|svara"
    "|svar|vastaa|odpovědět|válasz|yanıtla|cevapla|răspunde|balas|trả lời|απάντηση"
    "|回复|回覆|返信|답글|رد|پاسخ|השב"
)
"""The whole of a line in a comment, by which one answers it."""
_MARKS: Final = (
    "ментар", "МЕНТАР", "тзыв", "χόλια", "ΣΧΟΛΙΑ", "评论", "評論", "留言", "跟帖", "コメント",
    "댓글", "عليقات", "نظرات", "תגובות", "ความคิดเห็น", "टिप्पणियाँ", "ình luận", "zzászól",
)  # fmt: skip
"""What the line above comments holds, where it is not in ASCII."""


def heads_in(text: str) -> Iterator[int]:
    """Where such a line may stand. O(text), nothing in texts of ASCII."""
    if text.isascii():
        return
    for mark in _MARKS:
        at = text.find(mark)
        while at >= 0:
            yield at
            at = text.find(mark, at + 1)
