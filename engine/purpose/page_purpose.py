"""What a page is for, from the whole of it and from what was extracted; a pure function.

One table, read from the top: the first line that holds decides. Its thresholds were chosen on
wcxb-dev and tasks-dev (`winnow evaluate wcxb-dev tasks-dev --measure tasks`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from winnow.document.document import Document
from winnow.document.values import Extraction, Purpose, changed
from winnow.engine.purpose.purpose_signs import PageSigns, signs_of

_READ: Final = frozenset(
    "Article NewsArticle BlogPosting TechArticle ScholarlyArticle Report Review HowTo APIReference "
    "LiveBlogPosting AnalysisNewsArticle OpinionNewsArticle ReportageNewsArticle QAPage Recipe "
    "DiscussionForumPosting SocialMediaPosting og:article".split()
)
"""Types of pages that are read."""
_OFFERS: Final = frozenset("Product ProductGroup og:product".split())
_ACCOUNT: Final = re.compile(
    r"\b(?:log|sign)(?:ging|ing)?[ -]?(?:in|on|up)\b|\blogin|\bsignup|\bregist|passwor[dt]|"
    r"mot de passe|contrase|\b(?:create|new|your|my) (?:an? |new )?(?:account|profile|customer)|"
    r"\baccount\b|\bprofile?\b|settings|membership|\bjoin\b|subscribe|checkout|anmeld|einlogg|konto|"
    r"connexion|connectez|identifi|inscri|compte|cuenta|acced[ei]|accesso|iniciar sesi|logowanie|"
    r"zaloguj|rejestrac|inlog|вход|войти|регистрац|пароль|登录|登錄|注册|註冊|ログイン|登録|로그인|"
    r"회원가입|đăng nhập|đăng ký|giriş|üye ol|kayıt",
    re.IGNORECASE,
)
"""In the title or the headline of a page for logging in, signing up or buying."""
_CHECK: Final = re.compile(
    r"just a moment|attention required|are you (?:a )?(?:human|robot)|not a robot|captcha|verify|"
    r"verification|security check|checking your browser|ddos|unusual traffic|bot (?:check|detect)",
    re.IGNORECASE,
)
_ERROR: Final = re.compile(
    r"\b(?:40[0-9]|410|429|50[0-4])\b|not found|access denied|forbidden|unauthori[sz]ed|"
    r"(?:page|server) error|error (?:page|occurred)|went wrong|unavailable|does(?:n.t| not) exist|"
    r"nicht gefunden|introuvable|no encontrad|не найден|maintenance|blocked",
    re.IGNORECASE,
)
_TEXTS: Final = ("article", "documentation", "forum")
"""The model's page types that are read from top to bottom."""
_SHORT, _LONG = 100, 300
"""Words of prose: fewer are no article beside something to be done, more are one beside a box."""
_HEADLINE = 24
"""Bytes of a headline; fewer are the site's name. A character of Chinese says as much as three."""
_FEW_FIELDS = 2
"""Fields for text that a page may have beside a field for a secret and be no form: a search, a
name."""
_OFFERED = 250
"""Words of prose: an offer with a field for a secret has fewer."""
_MOSTLY = 0.4
"""The share of words in links above which a page is mostly links."""


class _Line(NamedTuple):
    """What a page is for if that holds, or it is of that type or page type."""

    purpose: Purpose
    reason: str
    holds: Callable[[PageSigns], bool] | None = None
    type: str | None = None
    page_type: str | None = None


def with_purpose(document: Document, extraction: Extraction) -> Extraction:
    """The extraction with what its page is for, and why."""
    purpose, reason = purpose_of(signs_of(document, extraction))
    return changed(extraction, purpose=purpose, purpose_reason=reason)


def purpose_of(signs: PageSigns) -> tuple[Purpose, str]:
    """What a page is for, and why in a sentence."""
    for purpose, reason, holds, name, page_type in _TABLE:
        if name in signs.types or signs.page_type == page_type or (holds and holds(signs)):
            return purpose, reason
    return Purpose.ARTICLE, "The page is mostly text."


def _asks_secret(signs: PageSigns) -> bool:
    """Whether a field for a secret may belong to what the page is for.

    It does not if it stands apart from a long text that is marked as one for reading; nor, with few
    fields beside it, from one under its headline, from a longer one that is surely of an article, a
    manual or a discussion, or in the header or the like of an article.
    """
    if not signs.secrets:
        return False
    if _is_about_account(signs):
        return not (_is_read(signs) and signs.prose >= _LONG + _SHORT and _is_one_text(signs))
    if signs.secrets_inside:
        return not (_is_read(signs) and signs.prose >= 2 * _LONG)
    if _is_read(signs):
        is_doubtful = signs.prose < 2 * _LONG and signs.confidence < 0.3
        return signs.prose < _SHORT or signs.linked > _MOSTLY or is_doubtful
    if signs.fields > _FEW_FIELDS:
        return True
    is_long = signs.page_type in _TEXTS and signs.prose >= _LONG + _SHORT
    is_sure = is_long and signs.confidence >= 0.95
    return not (is_sure or _is_one_text(signs) or _is_article_beside_a_box(signs))


def _is_read(signs: PageSigns) -> bool:
    return bool(_READ & signs.types)


def _is_one_text(signs: PageSigns) -> bool:
    """Whether a page is a text that the model is sure of, under a headline that its title repeats,
    whatever its menus are."""
    headline = signs.headline.casefold()
    is_named = len(headline.encode()) >= _HEADLINE and headline in signs.title.casefold()
    is_text = signs.sure >= _SHORT and signs.linked <= 0.2
    return is_named and is_text and signs.page_type in (*_TEXTS, "listing")


def _is_article_beside_a_box(signs: PageSigns) -> bool:
    """Whether an article, however short, has its log-in in the header or the like."""
    is_article = signs.page_type == "article" and signs.confidence >= 0.75
    return signs.secrets_aside and is_article and signs.prose >= _SHORT


def _is_about_account(signs: PageSigns) -> bool:
    return bool(_ACCOUNT.search(signs.title) or _ACCOUNT.search(signs.headline))


def _is_short(signs: PageSigns) -> bool:
    return signs.shown_prose < _SHORT


def _is_check(signs: PageSigns) -> bool:
    return _is_short(signs) and _named(_CHECK, signs)


def _is_error(signs: PageSigns) -> bool:
    return _is_short(signs) and not _is_read(signs) and _named(_ERROR, signs)


def _named(pattern: re.Pattern[str], signs: PageSigns) -> bool:
    return bool(pattern.search(signs.title) or pattern.search(signs.headline))


def _is_shell(signs: PageSigns) -> bool:
    return max(signs.words, signs.prose) < 25 and bool(signs.scripts or signs.players)


def _is_application(signs: PageSigns) -> bool:
    return bool(signs.editors) and signs.prose < _SHORT // 2


def _is_form(signs: PageSigns) -> bool:
    """Whether what is to be filled in outweighs what is to be read."""
    if _is_read(signs) and signs.prose >= _SHORT:
        return False
    return signs.fields >= 2 and signs.prose < 25 * signs.fields and signs.prose < _LONG


def _is_search(signs: PageSigns) -> bool:
    return bool(signs.searches + signs.fields) and signs.words < 60 and signs.prose < 20


def _is_player(signs: PageSigns) -> bool:
    return bool(signs.players) and signs.prose < _SHORT // 2 and not _is_read(signs)


def _is_marked_product(signs: PageSigns) -> bool:
    """Whether a page says that it offers something; its own markup keeps all fields."""
    is_text = signs.page_type == "article" and signs.prose >= _LONG
    is_offer = bool(_OFFERS & signs.types) and not is_text
    is_apart = not signs.secrets or (signs.page_type == "product" and signs.prose < _OFFERED)
    return is_offer and is_apart and not _is_about_account(signs)


def _is_list(signs: PageSigns) -> bool:
    if (
        _is_read(signs)
        and signs.prose >= _SHORT
        and (signs.linked <= _MOSTLY or signs.prose > _LONG)
    ):
        return False
    if _is_one_text(signs):
        return False
    if signs.linked > _MOSTLY:
        return True
    return signs.page_type in ("listing", "collection") and signs.prose * 2 < signs.words


_TABLE: Final[tuple[_Line, ...]] = (
    _Line(Purpose.PRODUCT, "The page says that it offers a product.", _is_marked_product),
    _Line(Purpose.FORM, "The page asks for a password, a card or a code.", _asks_secret),
    _Line(Purpose.ERROR, "The page checks for robots.", _is_check),
    _Line(Purpose.ERROR, "The page says that something failed.", _is_error),
    _Line(Purpose.FORM, "The page is little more than a search box.", _is_search),
    _Line(
        Purpose.APPLICATION, "The page is built by its scripts and has almost no text.", _is_shell
    ),
    _Line(Purpose.APPLICATION, "The page is drawn or edited, not read.", _is_application),
    _Line(Purpose.FORM, "The page is mostly fields to fill in.", _is_form),
    _Line(Purpose.APPLICATION, "The page is for playing something.", _is_player),
    _Line(Purpose.QUESTION, "The page says that it is a question with answers.", type="QAPage"),
    _Line(Purpose.THREAD, "The page says that it is a discussion.", type="DiscussionForumPosting"),
    _Line(Purpose.RECIPE, "The page says that it holds a recipe.", type="Recipe"),
    _Line(Purpose.INDEX, "The page is mostly links to other pages.", _is_list),
    _Line(Purpose.PRODUCT, "The page reads like a product page.", page_type="product"),
    _Line(Purpose.THREAD, "The page reads like a discussion.", page_type="forum"),
    _Line(Purpose.DOCUMENTATION, "The page reads like a manual.", page_type="documentation"),
)
